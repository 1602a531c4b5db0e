"""What a run writes while it is driven, as units of the writer.

Guarantee: every unit is fenced by run, epoch and owner. Whoever lost the run writes nothing more,
and what is written renews the lease; a unit written twice (its first answer got lost) stands once.
"""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any, NamedTuple, TypeAlias

from django.db.models import DurationField, ExpressionWrapper, Value
from django.db.models.expressions import Combinable
from django.db.models.fields import DateTimeField
from django.db.models.functions import Now

from apps.conversations.models import Block, EventBatch, Message, Run
from apps.conversations.step_payload import PARTIAL_KEY, partial_payload, step_key
from apps.conversations.stream.events import Batch
from apps.lib.clock import now
from apps.lib.writer.rounds import Inserts, Plan, Unit
from apps.runtime.messages import Usage
from apps.tools import units as tool_units

LEASE = timedelta(seconds=15)


class Fence(NamedTuple):
    """Who holds which run: the run's row must say the same."""

    run_id: str
    epoch: int
    owner: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Renewed:
    """Written, and the lease runs again; stop the run if that was asked for."""

    cancel_requested: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class LeaseLost:
    """The run is another's, or over: stop it, and write nothing more."""


Standing: TypeAlias = Renewed | LeaseLost


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFlush(Unit[Standing]):
    """A batch of a run's events; without one it is the heartbeat alone."""

    fence: Fence
    batch: Batch | None = None

    @classmethod
    def write(cls, units: Sequence["EventFlush"], inserts: Inserts) -> list[Standing]:
        ours = held(unit.fence for unit in units)
        renew(fence.run_id for fence in ours)
        for unit in units:
            if unit.fence in ours and unit.batch:
                inserts.add(batch_row(unit.fence.run_id, unit.batch))
        return [standing(unit.fence, ours) for unit in units]


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitStep(Unit[Standing]):
    """A step of the model, whole: its block, before the first of its calls starts."""

    fence: Fence
    conversation_id: str
    index: int
    payload: str
    tokens: int

    def row(self) -> Block:
        return Block(
            conversation_id=self.conversation_id,
            run_id=self.fence.run_id,
            kind=Block.Kind.STEP,
            key=step_key(self.index),
            payload=self.payload,
            tokens=self.tokens,
            created_at=now(),
        )

    @classmethod
    def write(cls, units: Sequence["CommitStep"], inserts: Inserts) -> list[Standing]:
        ours = held(unit.fence for unit in units)
        renew(fence.run_id for fence in ours)
        for unit in units:
            if unit.fence in ours:
                inserts.add(unit.row())
        return [standing(unit.fence, ours) for unit in units]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunEnd:
    """How a run ended: what its row and its message keep."""

    status: str
    content: str
    html: str
    finish_reason: str = ""
    error_code: str = ""
    usage: Usage = field(default_factory=Usage)
    first_token_ms: int | None = None
    total_ms: int | None = None

    def run_fields(self) -> dict[str, Any]:
        return {
            "status": self.status,
            "finish_reason": self.finish_reason,
            "error_code": self.error_code,
            "prompt_tokens": self.usage.prompt,
            "completion_tokens": self.usage.completion,
            "first_token_ms": self.first_token_ms,
            "total_ms": self.total_ms,
            "finished_at": now(),
            "lease_until": None,
        }

    def message_fields(self) -> dict[str, Any]:
        # A run's final states are a message's, by the same words.
        return {"content": self.content, "html": self.html, "status": self.status}


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishRun(Unit[Standing]):
    """The end of a run: row, message, last events and unfinished text, all or nothing."""

    fence: Fence
    conversation_id: str
    message_id: int
    end: RunEnd
    batch: Batch
    partial: str = ""

    @classmethod
    def write(cls, units: Sequence["FinishRun"], inserts: Inserts) -> list[Standing]:
        # In key order, as all who lock runs.
        in_order = sorted(units, key=lambda unit: unit.fence)
        answers = {unit.fence: unit.finish(inserts) for unit in in_order}
        return [answers[unit.fence] for unit in units]

    def finish(self, inserts: Inserts) -> Standing:
        """Conditional on the fence; the same end told again is agreed to and not written."""
        run_id, epoch, owner = self.fence
        ours = Run.objects.filter(pk=run_id, epoch=epoch, owner=owner)
        if not ours.filter(status=Run.Status.RUNNING).update(**self.end.run_fields()):
            told = ours.filter(status=self.end.status).exists()
            return Renewed(cancel_requested=False) if told else LeaseLost()
        Message.objects.filter(pk=self.message_id).update(**self.end.message_fields())
        inserts.add(batch_row(run_id, self.batch))
        if self.partial:
            inserts.add(partial_row(self.conversation_id, run_id, self.partial))
        return Renewed(cancel_requested=False)


def plan() -> Plan:
    """The units that one process writes, and the tables they go to; both in a fixed order."""
    return Plan(
        kinds=(EventFlush, CommitStep, FinishRun, *tool_units.KINDS),
        tables={EventBatch: insert_batches, Block: insert_blocks, **tool_units.TABLES},
    )


def held(fences: Iterable[Fence]) -> dict[Fence, bool]:
    """The fences that hold, each with the run's `cancel_requested`; their rows are locked."""
    asked = set(fences)
    ids = {fence.run_id for fence in asked}
    runs = Run.objects.select_for_update().filter(pk__in=ids, status=Run.Status.RUNNING)
    rows = runs.order_by("pk").values_list("pk", "epoch", "owner", "cancel_requested")
    found = {Fence(pk, epoch, owner): cancel for pk, epoch, owner, cancel in rows}
    return {fence: cancel for fence, cancel in found.items() if fence in asked}


def renew(run_ids: Iterable[str]) -> None:
    """By the database's clock: hosts may disagree about the time, the lease may not."""
    Run.objects.filter(pk__in=sorted(run_ids)).update(lease_until=lease_end())


def lease_end() -> Combinable:
    end = Now() + Value(LEASE, DurationField())
    return ExpressionWrapper(end, output_field=DateTimeField())


def standing(fence: Fence, ours: dict[Fence, bool]) -> Standing:
    return Renewed(cancel_requested=ours[fence]) if fence in ours else LeaseLost()


def batch_row(run_id: str, batch: Batch) -> EventBatch:
    return EventBatch(
        run_id=run_id, first=batch.first, last=batch.last, payload=batch.payload.decode()
    )


def partial_row(conversation_id: str, run_id: str, text: str) -> Block:
    """What was said of a step that never ended: the next turn must know of it."""
    return Block(
        conversation_id=conversation_id,
        run_id=run_id,
        kind=Block.Kind.STEP,
        key=PARTIAL_KEY,
        payload=partial_payload(text),
        created_at=now(),
    )


def insert_batches(rows: Collection[EventBatch]) -> None:
    """A batch offered again has grown and replaces what stands under its first number."""
    EventBatch.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["run", "first"],
        update_fields=["last", "payload"],
    )


def insert_blocks(rows: Collection[Block]) -> None:
    """A step told again is the same step: the fence lets nobody else write it."""
    Block.objects.bulk_create(rows, ignore_conflicts=True)
