"""The third net under the audit: what message, worker and process lost is found and closed.

Guarantees: each call is closed once, whoever sweeps beside whom, and by its state: planned or
local started is not_executed, outside started is unknown, ended is what it ended as, and a call
of which only audit.before is left is unknown.
"""

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import NamedTuple, Protocol

from django.db import DatabaseError
from django.db.models import Q
from django.utils.translation import gettext as _

from apps.audit.services.alerts import raise_alert
from apps.lib import clock
from apps.tools import after
from apps.tools.endings import LIVE
from apps.tools.handover import BATCH
from apps.tools.models import ToolRun
from apps.tools.orphans import close_orphans
from apps.tools.settling import close_call

logger = logging.getLogger(__name__)
AT_ONCE = 2_000
GRACE = timedelta(seconds=60)
"""How old a call must be whose run has no row."""
HANDED = timedelta(seconds=5)
"""How long the hand-over has before the sweeper sends."""
STUCK = timedelta(minutes=5)
WHOLE_S = 86_400.0


class Send(Protocol):
    """Takes the audit ids of one message."""

    def __call__(self, audit_ids: list[str], /) -> object: ...


class Swept(NamedTuple):
    """What one sweep found."""

    closed: int
    orphans: int
    sent: int


HeldRuns = Callable[[Sequence[str]], Mapping[str, bool]]
"""Of these runs, those that have a row: whether anybody drives it, or will."""


def _none_known(run_ids: Sequence[str]) -> Mapping[str, bool]:
    return {}


class _Process:
    """What this process was told, and when it last looked at everything."""

    held: HeldRuns = staticmethod(_none_known)
    whole_at = float("-inf")


def register_runs(held: HeldRuns) -> None:
    """Whoever keeps the runs says which of them live."""
    _Process.held = staticmethod(held)


def whole_is_due() -> bool:
    """True for the first sweep of a process, which may have been away, and once a day."""
    due = time.monotonic() - _Process.whole_at >= WHOLE_S
    if due:
        _Process.whole_at = time.monotonic()
    return due


def sweep(send: Send, *, whole: bool = False, handed: timedelta = HANDED) -> Swept:
    """Close, then send; `whole` looks at every audit.before there is, else at the last hour's."""
    swept = Swept(_close_left_open(), close_orphans(whole=whole), _send_due(send, handed))
    _alert_stuck()
    if any(swept):
        logger.warning("swept: %d closed, %d orphans, %d sent", *swept)
    return swept


def _close_left_open() -> int:
    """Calls whose run is over, or whose host has not been heard of for a lease."""
    rows = ToolRun.objects.filter(audit_state=after.OPEN, status__in=LIVE).order_by("created_at")
    runs = list(rows[:AT_ONCE])
    held = _Process.held(sorted({run.run_id for run in runs}))
    newest = clock.now() - GRACE
    left = [run for run in runs if not held.get(run.run_id, run.created_at > newest)]
    return sum(_closed(run) for run in left)


def _closed(run: ToolRun) -> bool:
    try:
        return close_call(run, _("运行已中断，此调用没有完成"))
    except DatabaseError:
        logger.exception("call %s could not be closed, will be tried again", run.tool_call_id)
        return False


def _send_due(send: Send, handed: timedelta) -> int:
    """Untried ones together; each tried one by itself, so that it takes no others along."""
    young = Q(audit_due_at=None, finished_at__gt=clock.now() - handed)
    rows = after.due().exclude(young).order_by("created_at")
    found = list(rows.values_list("audit_id", "audit_attempts")[:AT_ONCE])
    fresh = [audit_id for audit_id, attempts in found if not attempts]
    for start in range(0, len(fresh), BATCH):
        send(fresh[start : start + BATCH])
    for audit_id, attempts in found:
        if attempts:
            send([audit_id])
    return len(found)


def _alert_stuck() -> None:
    """Rows that neither get written nor become dead letters: somebody must look."""
    long_ago = clock.now() - STUCK
    stuck = after.unwritten().filter(finished_at__lt=long_ago)
    if count := stuck.count():
        raise_alert(
            cause="audit_open",
            severity="critical",
            object_kind="audit_after",
            detail=f"{count} calls ended more than 5 minutes ago and have no audit.after",
        )
