"""What the worker does for tools: writes audit.after, and finds what got lost on the way."""

from celery import shared_task

from apps.audit.services import sanitizer_rules
from apps.tools import after
from apps.tools.after_letters import bury_unreadable
from apps.tools.handover import TASK, send
from apps.tools.services import quota_use, upgrade_triggers
from apps.tools.sweep import sweep, whole_is_due


@shared_task(name=TASK)
def write_after(audit_ids: object = None) -> None:
    """One attempt at each; those that need another come back when they are due."""
    if not isinstance(audit_ids, list) or not all(isinstance(each, str) for each in audit_ids):
        bury_unreadable(audit_ids)
        return
    sanitizer_rules.refresh()
    for audit_id, seconds in after.write(audit_ids):
        send([audit_id], countdown=seconds)


@shared_task(name="apps.tools.tasks.sweep_audit")
def sweep_audit() -> None:
    """Every 15 s; what it sends is worked off like everything else."""
    sweep(send, whole=whole_is_due())


@shared_task
def check_upgrade_triggers() -> None:
    """Daily: a trigger that is met becomes an alert and a task for an administrator."""
    upgrade_triggers.tell_of(upgrade_triggers.measure())


@shared_task(name="apps.tools.tasks.forget_quota_windows")
def forget_quota_windows() -> None:
    """Daily: counts of windows that are long over."""
    quota_use.forget_windows()
