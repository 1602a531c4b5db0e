"""What the worker does for conversations."""

from celery import shared_task

from apps.conversations.host.reaper import reap_expired_runs
from apps.conversations.services import erasing


@shared_task(name="conversations.reap_runs")
def reap_runs() -> int:
    """The same sweep as the hosts', for when none is up."""
    return reap_expired_runs()


@shared_task(name="conversations.remove_strays")
def remove_strays() -> int:
    """Hourly: what was still written while its conversation was deleted."""
    return erasing.remove_strays()
