"""What a host finds when it looks at the runs: those it may take, and those it must stop."""

from collections.abc import Collection
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Max

from apps.conversations.models import EventBatch, Run
from apps.conversations.stream.events import EPOCH_SPAN, Batch
from apps.conversations.stream.opening import opening_events
from apps.conversations.units import Fence, batch_row, lease_end
from apps.lib.clock import now


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """A run that this host holds, and how many events of its epoch the log has."""

    fence: Fence
    committed: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What one look found."""

    claimed: tuple[Claim, ...]
    cancelled: frozenset[str]


def look(owner: str, *, free: int, driven: Collection[str]) -> Sight:
    """Take queued runs, oldest first, and take up own ones whose start was cut off.

    Such a run was claimed for this host by a request that died before it could say so.
    """
    own = Run.objects.filter(owner=owner, status=Run.Status.RUNNING)
    rows = list(own.only("epoch", "cancel_requested", "user_message_id"))
    strays = [run for run in rows if run.pk not in driven]
    return Sight(
        claimed=(*_undriven(owner, strays), *_queued(owner, free)),
        cancelled=frozenset(run.pk for run in rows if run.cancel_requested),
    )


def _undriven(owner: str, runs: Collection[Run]) -> list[Claim]:
    """Those that have nothing beyond their opening: nobody has begun with them."""
    if not runs:
        return []
    batches = EventBatch.objects.filter(run_id__in=[run.pk for run in runs])
    last = dict(batches.values_list("run_id").annotate(Max("last")))
    return [
        Claim(fence=Fence(run.pk, run.epoch, owner), committed=run.openings)
        for run in runs
        if last.get(run.pk, 0) == run.epoch * EPOCH_SPAN + run.openings
    ]


def _queued(owner: str, free: int) -> list[Claim]:
    if free <= 0:
        return []
    queued = Run.objects.filter(status=Run.Status.QUEUED).order_by("created_at", "pk")
    claims = [claim_run(pk, owner) for pk in queued.values_list("pk", flat=True)[:free]]
    return [claim for claim in claims if claim]


def claim_run(run_id: str, owner: str) -> Claim | None:
    """Hold a queued run: row and opening events in one transaction; None when another has it."""
    with transaction.atomic():
        claimed = Run.objects.filter(pk=run_id, status=Run.Status.QUEUED).update(
            status=Run.Status.RUNNING,
            epoch=F("epoch") + 1,
            owner=owner,
            attempts=F("attempts") + 1,
            lease_until=lease_end(),
            started_at=now(),
        )
        if not claimed:
            return None
        run = Run.objects.select_related("user_message", "message").get(pk=run_id)
        events = opening_events(run, run.user_message, run.message)
        batch_row(run_id, Batch.of(events)).save(force_insert=True)
    return Claim(fence=Fence(run_id, run.epoch, owner), committed=len(events))
