"""Which tier an error of a tool belongs to: permission first, then business, then the rest."""

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
    """Where `error` goes; its text is not sanitised yet."""
    if isinstance(error, _FORBIDDEN) or _status(error) in (401, 403):
        return Forbidden(detail=_named(error))
    if reason := _reason(error):
        return Mendable(reason=reason)
    return Broken(detail=_named(error))


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


def _named(error: BaseException) -> str:
    return f"{type(error).__qualname__}: {error}"
