"""Which dead letters somebody may deal with, and how a request for one is refused."""

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import DeadLetter
from apps.lib.problem import Problem, RefusedError

RIGHT = "audit.operate_audit"


def letters_of(actor: Actor) -> QuerySet[DeadLetter]:
    """Those of the organisation, all for a superuser; RefusedError 403 without the right."""
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(RIGHT):
        raise refused(403, "permission_denied", _("没有权限"), _("您没有处理死信的权限。"))
    if user.is_superuser:
        return DeadLetter.objects.all()
    return DeadLetter.objects.filter(organisation_id=user.organisation_id)


def open_letter(rows: QuerySet[DeadLetter], letter_id: int) -> DeadLetter:
    """RefusedError 404, or 409 when somebody has dealt with it."""
    letter = rows.filter(pk=letter_id).first()
    if letter is None:
        raise refused(404, "not_found", _("不存在"), _("没有这封死信。"))
    if letter.state != DeadLetter.State.OPEN:
        raise settled_already()
    return letter


def without_reason() -> RefusedError:
    return refused(400, "invalid", _("请求有误"), _("请写明理由。"))


def settled_already() -> RefusedError:
    return refused(409, "state_conflict", _("现在不能这样做"), _("这封死信已经处理过。"))


def refused(status: int, code: str, title: str, detail: str) -> RefusedError:
    return RefusedError(Problem(status=status, code=code, title=title, detail=detail))
