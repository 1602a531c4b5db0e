"""Why a change of the operators' rules is refused."""

from collections.abc import Mapping
from typing import Literal

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.lib.problem import Problem, RefusedError


def require(actor: Actor, right: Literal["add", "change", "delete"]) -> None:
    """RefusedError 403 without Django's permission for it."""
    user = User.objects.filter(pk=actor.user_id).first()
    if user is None or not user.has_perm(f"audit.{right}_sanitizerrule"):
        raise _refused(403, "permission_denied", _("没有权限"), _("您没有修改脱敏规则的权限。"))


def invalid(errors: Mapping[str, list[str]]) -> RefusedError:
    """400, with what to mend for each field."""
    problem = Problem(status=400, code="validation", title=_("内容有误"), errors=errors)
    return RefusedError(problem)


def not_found() -> RefusedError:
    return _refused(404, "not_found", _("不存在"), _("没有这条脱敏规则。"))


def stale() -> RefusedError:
    """It stands so already, or is gone."""
    detail = _("这条脱敏规则已经是这个状态，请刷新后再看。")
    return _refused(409, "state_conflict", _("现在不能这样做"), detail)


def _refused(status: int, code: str, title: str, detail: str) -> RefusedError:
    return RefusedError(Problem(status=status, code=code, title=title, detail=detail))
