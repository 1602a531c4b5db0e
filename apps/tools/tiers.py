"""Which tier an error of a tool belongs to: permission first, then business, then the rest.

A group of errors belongs where its gravest one does: forbidden if any is, told to the model only
if it can act on all.
"""

import traceback
from collections.abc import Iterator

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied, ValidationError
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import exceptions

from apps.lib.bridge import LockTimeoutError
from apps.lib.problem import RefusedError
from apps.tools.outcome import Broken, Forbidden, Mendable, Tier
from apps.tools.registry.results import BusinessError

_FORBIDDEN = (
    PermissionDenied,
    exceptions.PermissionDenied,
    exceptions.NotAuthenticated,
    exceptions.AuthenticationFailed,
)


def tier_of(error: BaseException) -> Tier:
    """Where `error` goes; its text is not sanitised yet. May raise what its text raises."""
    errors = list(_single(error))
    if any(isinstance(one, _FORBIDDEN) or _status(one) in (401, 403) for one in errors):
        return Forbidden(detail=_named(errors))
    reasons = [_reason(one) for one in errors]
    if all(reasons):
        return Mendable(reason="; ".join(dict.fromkeys(reasons)))
    return Broken(detail=_named(errors))


def _single(error: BaseException) -> Iterator[BaseException]:
    if not isinstance(error, BaseExceptionGroup):
        yield error
        return
    for one in error.exceptions:
        yield from _single(one)


def _reason(error: BaseException) -> str:
    match error:
        case BusinessError():
            return str(error) or _("操作未能完成")
        case ValidationError():
            return "; ".join(error.messages)
        case ObjectDoesNotExist() | Http404():
            return _("未找到")
        case LockTimeoutError():
            return _("数据正被占用，请稍后重试")
        case exceptions.APIException() if error.status_code < 500:
            return _flat(error.detail)
        case RefusedError() if error.problem.status < 500:
            return _problem(error)
    return ""


def _status(error: BaseException) -> int:
    if isinstance(error, RefusedError):
        return error.problem.status
    return error.status_code if isinstance(error, exceptions.APIException) else 0


def _problem(error: RefusedError) -> str:
    problem = error.problem
    faults = [f"{path}: {' '.join(texts)}" for path, texts in problem.errors.items()]
    return "; ".join(faults) or problem.detail or problem.title


def _flat(detail: object) -> str:
    if isinstance(detail, dict):
        return "; ".join(f"{key}: {_flat(value)}" for key, value in detail.items())
    if isinstance(detail, list):
        return " ".join(map(_flat, detail))
    return str(detail)


def _named(errors: list[BaseException]) -> str:
    lines = (line for error in errors for line in traceback.format_exception_only(error))
    return "".join(lines).strip()
