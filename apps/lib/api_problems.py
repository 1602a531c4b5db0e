"""What goes wrong in an API view, as application/problem+json: REST framework's handler."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

import structlog
from django.core.exceptions import PermissionDenied, RequestDataTooBig
from django.http import Http404, HttpResponse
from django.utils.translation import gettext as _
from rest_framework import exceptions

from apps.lib.api_json import too_large
from apps.lib.problem import CONTENT_TYPE, Problem, RefusedError
from apps.lib.transitions import StateConflictError


def handle(error: Exception, context: Mapping[str, Any]) -> HttpResponse | None:
    """The answer to an exception that is one; None for a fault, which Django answers with 500."""
    problem = problem_of(error)
    if problem is None:
        return None
    response = as_response(problem)
    if scheme := getattr(error, "auth_header", None):
        response["WWW-Authenticate"] = scheme
    return response


def as_response(problem: Problem) -> HttpResponse:
    """The problem under the trace id of this request, with its headers."""
    trace_id = str(structlog.contextvars.get_contextvars().get("trace_id", ""))
    response = HttpResponse(
        replace(problem, trace_id=problem.trace_id or trace_id).encode(),
        status=problem.status,
        content_type=CONTENT_TYPE.decode(),
    )
    for name, value in problem.headers().items():
        response[name] = value
    return response


def problem_of(error: Exception) -> Problem | None:
    """The refusal that an exception stands for; None for any other exception."""
    match error:
        case RefusedError():
            return error.problem
        case RequestDataTooBig():
            return too_large().problem
        case StateConflictError():
            detail = _("对象已被他人更改，请刷新后重试。")
            return Problem(status=409, code=error.code, title=_("现在不能这样做"), detail=detail)
        case Http404():
            return not_found()
        case PermissionDenied() | exceptions.PermissionDenied():
            return forbidden(error)
        case exceptions.APIException():
            return _of_framework(error)
    return None


def not_found() -> Problem:
    return Problem(status=404, code="not_found", title=_("不存在"), detail=_("没有这个对象。"))


def not_authenticated() -> Problem:
    return Problem(
        status=401,
        code="not_authenticated",
        title=_("未登录"),
        detail=_("请先登录，或提供有效的令牌。"),
    )


def csrf_failed() -> Problem:
    return Problem(
        status=403, code="csrf_failed", title=_("CSRF 校验失败"), detail=_("请刷新页面后重试。")
    )


def malformed() -> Problem:
    return Problem(
        status=400, code="malformed", title=_("请求有误"), detail=_("服务器无法读懂这个请求。")
    )


def internal_error() -> Problem:
    """All that anybody outside learns of a fault: the trace id under which it stands in the log."""
    return Problem(status=500, code="internal_error", title=_("服务器内部错误"))


def forbidden(error: Exception) -> Problem:
    if getattr(error, "code", "") == "csrf_failed":
        return csrf_failed()
    return Problem(
        status=403,
        code="permission_denied",
        title=_("没有权限"),
        detail=_("您没有做这件事的权限。"),
    )


def _of_framework(error: exceptions.APIException) -> Problem:
    match error:
        case exceptions.ValidationError():
            errors = dict(flattened(error.detail))
            return Problem(status=400, code="validation", title=_("内容有误"), errors=errors)
        case exceptions.NotAuthenticated() | exceptions.AuthenticationFailed():
            return not_authenticated()
        case exceptions.MethodNotAllowed():
            title = _("不支持的请求方法")
            return Problem(status=405, code="method_not_allowed", title=title)
        case exceptions.UnsupportedMediaType():
            detail = _("请以 application/json 发送。")
            title = _("不支持的内容类型")
            return Problem(status=415, code="unsupported_media_type", title=title, detail=detail)
        case exceptions.Throttled():
            return Problem(
                status=429,
                code="rate_limited",
                title=_("请求过多"),
                retry_after=round(getattr(error, "wait", None) or 1),
            )
        case exceptions.ParseError():
            return malformed()
    return Problem(status=error.status_code, code=error.default_code, title=str(error.detail))


def flattened(detail: Any, path: str = "") -> Iterator[tuple[str, list[str]]]:
    """REST framework's nested errors by path: `fields[0].label`; the whole value under ""."""
    if isinstance(detail, Mapping):
        for name, inner in detail.items():
            whole = name == "non_field_errors"
            yield from flattened(inner, path if whole else f"{path}.{name}".lstrip("."))
    elif isinstance(detail, list) and not any(isinstance(item, dict | list) for item in detail):
        yield path, [_said(item) for item in detail]
    elif isinstance(detail, list):
        for index, inner in enumerate(detail):
            yield from flattened(inner, f"{path}[{index}]")
    else:
        yield path, [_said(detail)]


def _said(fault: Any) -> str:
    """REST framework's text, but where its Chinese says something else than is meant."""
    match getattr(fault, "code", ""):
        case "null_characters_not_allowed":
            return _("不能包含空字符（NUL）。")
        case "surrogate_characters_not_allowed":
            return _("不能包含不完整的字符（半个代理对）。")
    return str(fault)
