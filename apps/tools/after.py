"""audit.after from its outbox, the tool runs: written once, however often it is tried.

Guarantees: an attempt is counted and committed before it is made, so one that kills its process
counts too; a row that was tried before is tried alone, so that it spoils no others; after the last
attempt, and at once where no repetition helps, the row becomes a dead letter.
"""

import logging
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from django.db import transaction
from django.db.models import F, Q, QuerySet

from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.audit.services.dead_letters import reason_of
from apps.lib import clock
from apps.lib.attempts import PAUSES, STARTS, pause_after
from apps.lib.failpoint import hit
from apps.tools.after_entries import entries_of
from apps.tools.after_letters import bury_run, bury_unknown
from apps.tools.models import ToolRun

logger = logging.getLogger(__name__)
LEASE = timedelta(seconds=10)
"""How long an attempt may take before another may begin."""
OPEN, WRITTEN = ToolRun.AuditState.OPEN, ToolRun.AuditState.WRITTEN


class Again(NamedTuple):
    """A row that is to be tried again, in so many seconds."""

    audit_id: str
    seconds: float


def unwritten() -> QuerySet[ToolRun]:
    """Calls that have ended and lack their audit.after."""
    return ToolRun.objects.filter(audit_state=OPEN).exclude(status__in=ToolRun.OPEN)


def due() -> QuerySet[ToolRun]:
    """Those at which nobody is just now."""
    return unwritten().filter(Q(audit_due_at=None) | Q(audit_due_at__lte=clock.now()))


def write(audit_ids: Sequence[str]) -> list[Again]:
    """One attempt at each of these that is due; those that need another."""
    ids = list(dict.fromkeys(audit_ids))
    _bury_the_rest(ids)
    again = _attempt(_claim(due().filter(audit_id__in=ids, audit_attempts=0)))
    tried = due().filter(audit_id__in=ids, audit_attempts__range=(1, STARTS - 1))
    for pk in list(tried.order_by("pk").values_list("pk", flat=True)):
        again += _attempt(_claim(tried.filter(pk=pk)))
    return again


def write_now(runs: QuerySet[ToolRun]) -> int:
    """In the caller's transaction, whatever is due; raises what went wrong. How many."""
    found = list(unwritten().filter(pk__in=runs.values("pk")).order_by("pk"))
    for error in _write(found).values() if found else ():
        raise error
    return len(found)


def _claim(runs: QuerySet[ToolRun]) -> list[ToolRun]:
    with transaction.atomic():
        found = list(runs.select_for_update(skip_locked=True).order_by("pk"))
        rows = ToolRun.objects.filter(pk__in=[run.pk for run in found])
        rows.update(audit_attempts=F("audit_attempts") + 1, audit_due_at=clock.now() + LEASE)
    for run in found:
        run.audit_attempts += 1
    if found:
        hit("after.counted")
    return found


def _attempt(runs: Sequence[ToolRun]) -> list[Again]:
    if not runs:
        return []
    alone = True
    try:
        failures = _write(runs)
    except Exception as error:  # noqa: BLE001, counted before; what it was decides what follows
        failures = {run.pk: error for run in runs}
        alone = len(runs) == 1
    failed = [(run, failures[run.pk]) for run in runs if run.pk in failures]
    return [again for run, error in failed if (again := _failed(run, error, alone=alone))]


def _failed(run: ToolRun, error: Exception, *, alone: bool) -> Again | None:
    """Of rows that failed together nobody knows which it was: each is tried alone."""
    pause = pause_after(error, run.audit_attempts) if alone else PAUSES[0]
    if pause is None:
        bury_run(run, reason_of(error))
        return None
    logger.warning("audit.after of %s failed, again in %g s: %r", run.audit_id, pause, error)
    rows = unwritten().filter(pk=run.pk)
    rows.update(audit_due_at=clock.now() + timedelta(seconds=pause))
    return Again(run.audit_id, pause)


def _write(runs: Sequence[ToolRun]) -> dict[int, Exception]:
    """All in one transaction but those, by key, that have no entry because of an error."""
    entries, failures = entries_of(runs)
    with transaction.atomic():
        rows = unwritten().filter(pk__in=[run.pk for run in runs if run.pk not in failures])
        ours = set(rows.select_for_update().order_by("pk").values_list("audit_id", flat=True))
        after = AuditEntry.objects.filter(audit_id__in=ours, phase=AuditEntry.Phase.AFTER)
        standing = set(after.values_list("audit_id", flat=True))
        chain.append([entry for entry in entries if entry.audit_id in ours - standing])
        rows.update(audit_state=WRITTEN, audit_due_at=None)
        if ours:
            hit("after.writing")
    return failures


def _bury_the_rest(ids: Sequence[str]) -> None:
    """Rows whose last attempt took its process along, and ids that nobody knows."""
    for run in due().filter(audit_id__in=ids, audit_attempts__gte=STARTS).order_by("pk"):
        bury_run(run, "worker lost: the last attempt never came back")
    known = set(ToolRun.objects.filter(audit_id__in=ids).values_list("audit_id", flat=True))
    for audit_id in ids:
        if audit_id not in known:
            bury_unknown(audit_id)
