"""Ends runs whose host has not been heard of for a lease's length."""

import logging

from django.db.models.functions import Now

from apps.conversations.host.failing import fail_expired
from apps.conversations.models import Run
from apps.conversations.units import Fence

logger = logging.getLogger(__name__)
AT_ONCE = 100


def reap_expired_runs() -> int:
    """End runs whose lease has run out, oldest first; how many this call ended.

    Each in a transaction of its own and by one conditional update, so any number of processes
    may reap at the same time, and a host that renews meanwhile keeps its run.
    """
    expired = Run.objects.filter(status=Run.Status.RUNNING, lease_until__lt=Now())
    rows = expired.order_by("lease_until").values_list("pk", "epoch", "owner")[:AT_ONCE]
    reaped = [fence.run_id for fence in map(Fence._make, list(rows)) if fail_expired(fence)]
    if reaped:
        logger.warning("ended %d runs whose lease had run out", len(reaped))
    return len(reaped)
