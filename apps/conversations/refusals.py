"""The refusals that every door gives in the same words."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from apps.lib.problem import Problem, RefusedError


def not_found(detail: str = "") -> RefusedError:
    """Missing and foreign alike."""
    return RefusedError(
        Problem(
            status=404, code="not_found", title=_("不存在"), detail=detail or _("没有这个对象。")
        )
    )


def forbidden(detail: str) -> RefusedError:
    return RefusedError(
        Problem(status=403, code="permission_denied", title=_("没有权限"), detail=detail)
    )


def invalid(errors: Mapping[str, Sequence[str]]) -> RefusedError:
    """`errors` by path, the whole value under the empty path."""
    problem = Problem(status=400, code="validation", title=_("内容有误"), errors=errors)
    return RefusedError(problem)


def conflict(code: str, detail: str) -> RefusedError:
    return RefusedError(Problem(status=409, code=code, title=_("现在不能这样做"), detail=detail))


def request_id_conflict() -> RefusedError:
    return RefusedError(
        Problem(
            status=422,
            code="request_id_conflict",
            title=_("请求编号已被使用"),
            detail=_("同一个 clientRequestId 已经用于另一份内容。"),
        )
    )


def rate_limited(detail: str, *, retry_after: int) -> RefusedError:
    """`retry_after` in seconds."""
    return RefusedError(
        Problem(
            status=429,
            code="rate_limited",
            title=_("请求过多"),
            detail=detail,
            retry_after=retry_after,
        )
    )


def unavailable(code: str, detail: str) -> RefusedError:
    return RefusedError(Problem(status=503, code=code, title=_("暂时不可用"), detail=detail))
