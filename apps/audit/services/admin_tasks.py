"""Work for administrators: opened by a measurement, ended by a person."""

from django.db import transaction
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import AdminTask
from apps.audit.services import config_log
from apps.audit.services.alerts import RIGHT
from apps.lib import clock
from apps.lib.problem import Problem, RefusedError

State = AdminTask.State


def open_task(*, key: str, title: str, detail: str) -> bool:
    """False when one with this key is open already, whoever opened it."""
    _task, is_new = AdminTask.objects.get_or_create(
        key=key,
        state=State.OPEN,
        defaults={"title": title[:200], "detail": detail, "created_at": clock.now()},
    )
    return is_new


def complete(*, task_id: int, actor: Actor, reason: str = "") -> None:
    """RefusedError 403 without the right, 404, or 409 when it is done already."""
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(RIGHT):
        raise _refused(403, "permission_denied", _("没有权限"), _("您没有处理管理任务的权限。"))
    with transaction.atomic():
        rows = AdminTask.objects.filter(pk=task_id)
        done = {"state": State.DONE, "done_at": clock.now(), "done_by": actor.username}
        if not rows.filter(state=State.OPEN).update(**done):
            if not rows.exists():
                raise _refused(404, "not_found", _("不存在"), _("没有这个管理任务。"))
            title = _("现在不能这样做")
            raise _refused(409, "state_conflict", title, _("这个管理任务已经完成。"))
        config_log.record(
            actor=actor,
            action="complete_admin_task",
            object_kind="admin_task",
            object_key=rows.values_list("key", flat=True).get(),
            reason=reason,
            before={"state": State.OPEN.value},
            after={"state": State.DONE.value},
        )


def _refused(status: int, code: str, title: str, detail: str) -> RefusedError:
    return RefusedError(Problem(status=status, code=code, title=title, detail=detail))
