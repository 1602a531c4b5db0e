"""What the worker does for conversations."""

from celery import shared_task

from apps.conversations.host.reaper import reap_expired_runs


@shared_task(name="conversations.reap_runs")
def reap_runs() -> int:
    """The same sweep as the hosts', for when none is up."""
    return reap_expired_runs()
