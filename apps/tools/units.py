"""The writer's units of the tools: a call is opened and decided, a call is ended.

Guarantees, each in one transaction:
- The tool run, audit.before, the quota's unit and the decision stand together. A refused call has
  also audit.after and its security event by then, and its unit is free.
- A call that was opened before keeps what it has; nothing is charged or decided again.
- A call ends once; who comes second is told so.
"""

import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import DatabaseError, transaction
from django.db.models import Model

from apps.audit import chain
from apps.audit.models import AuditEntry, SecurityEvent
from apps.audit.services.alerts import raise_alert
from apps.lib.writer.rounds import Inserts, Unit
from apps.lib.writer.statements import Rows, Statement, insertion, run_all
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.tools.deciding import Desk
from apps.tools.endings import Ending, end_runs, failing
from apps.tools.facts import Asked
from apps.tools.failures import refused
from apps.tools.models import ToolRun
from apps.tools.outcome import Failure, Known, Opened, Opening, Refusal, Refused, Wording
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.rows import after_entry, before_entry, new_audit_id, opened_run, security_event
from apps.tools.session import ToolSession

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall(Unit[Opening]):
    """One call's way to its tool. With a `refusal` it is refused, and no fact is read."""

    session: ToolSession
    call: ToolCall
    place: Place
    wording: Wording
    refusal: Refusal | None = None

    @property
    def asked(self) -> Asked:
        return Asked(self.session, self.call.name)

    @classmethod
    def write(cls, units: Sequence["OpenCall"], inserts: Inserts) -> list[Opening]:
        runs = [opened_run(unit.session, unit.call, unit.place, new_audit_id()) for unit in units]
        desk = Desk([unit.asked for unit in units if unit.refusal is None])
        inserted, *answers = run_all([_registration(runs), *desk.questions])
        audit_ids = _registered(runs, inserted)
        fresh = [
            (unit, run)
            for unit, run in zip(units, runs, strict=True)
            if audit_ids[run.tool_call_id] == run.audit_id
        ]
        decided = desk.decide([unit.asked for unit, _ in fresh if unit.refusal is None], answers)
        passes = _passed(fresh, iter(decided), inserts)
        end_runs(
            [
                failing(run.tool_call_id, passed.failure, 0)
                for _, run in fresh
                if isinstance(passed := passes[run.audit_id], Refused)
            ],
            audit_state=ToolRun.AuditState.WRITTEN,
        )
        known = (Known(audit_id=audit_ids[run.tool_call_id]) for run in runs)
        return [passes.get(run.audit_id, other) for run, other in zip(runs, known, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class EndCall(Unit[bool]):
    """What became of a call whose outcome no other transaction holds; True if it ends so."""

    session: ToolSession
    tool: str
    audit_id: str
    ending: Ending
    failure: Failure | None = None

    @classmethod
    def write(cls, units: Sequence["EndCall"], inserts: Inserts) -> list[bool]:
        ended = end_runs([unit.ending for unit in units], audit_state=ToolRun.AuditState.OPEN)
        answers = []
        for unit in units:
            hit = unit.ending.tool_call_id in ended
            ended.discard(unit.ending.tool_call_id)
            if hit and unit.failure and unit.failure.security:
                inserts.add(unit.event(unit.failure))
            answers.append(hit)
        return answers

    def event(self, failure: Failure) -> SecurityEvent:
        return security_event(
            self.session, self.tool, self.audit_id, failure.security, failure.detail
        )


def _registration(runs: Sequence[ToolRun]) -> Statement:
    """In key order; it tells which calls were not known."""
    first = {run.tool_call_id: run for run in reversed(runs)}
    ordered = [first[key] for key in sorted(first)]
    return insertion(ordered, tail="ON CONFLICT (tool_call_id) DO NOTHING RETURNING tool_call_id")


def _registered(runs: Sequence[ToolRun], inserted: Rows) -> dict[str, str]:
    """By call: the audit id that stands, ours where the call had none."""
    first = {run.tool_call_id: run for run in reversed(runs)}
    ids = {key: first[key].audit_id for (key,) in inserted}
    if missing := first.keys() - ids:
        rows = ToolRun.objects.filter(tool_call_id__in=missing)
        ids.update(rows.values_list("tool_call_id", "audit_id"))
    return ids


def _passed(
    fresh: Sequence[tuple[OpenCall, ToolRun]],
    decided: Iterator[ToolDescriptor | Refusal],
    inserts: Inserts,
) -> dict[str, Opened | Refused]:
    """By audit id: how each pass went."""
    passes: dict[str, Opened | Refused] = {}
    for unit, run in fresh:
        before = before_entry(unit.session, unit.call, unit.place, run.audit_id)
        inserts.add(before)
        decision = next(decided) if unit.refusal is None else unit.refusal
        if isinstance(decision, Refusal):
            failure = refused(decision, unit.wording, unit.call.name)
            if decision.kind == "unreadable":
                _alert(unit, run.audit_id, failure.detail)
            passes[run.audit_id] = _refuse(unit, run, before, failure, inserts)
        else:
            passes[run.audit_id] = Opened(audit_id=run.audit_id, tool=decision)
    return passes


def _refuse(
    unit: OpenCall, run: ToolRun, before: AuditEntry, failure: Failure, inserts: Inserts
) -> Refused:
    run.ok, run.error_message = False, failure.text
    inserts.add(after_entry(run, before, failure.outcome))
    if failure.security:
        inserts.add(
            security_event(
                unit.session, unit.call.name, run.audit_id, failure.security, failure.detail
            )
        )
    answer = failing(run.tool_call_id, failure, 0).answer()
    return Refused(audit_id=run.audit_id, failure=failure, answer=answer)


def _alert(unit: OpenCall, audit_id: str, detail: str) -> None:
    """That rules cannot be read concerns an operator; the refusal stands without it, too."""
    try:
        with transaction.atomic():
            raise_alert(
                cause="policy_unreadable",
                severity="critical",
                object_kind="agent",
                object_key=unit.session.agent_code,
                detail=f"{audit_id}: {detail}",
                organisation_id=unit.session.actor.organisation_id,
                trace_id=unit.session.trace_id,
            )
    except DatabaseError:
        logger.exception("no alert could be raised for %s", audit_id)


KINDS: tuple[type[Unit[Any]], ...] = (OpenCall, EndCall)
"""For the host's Plan: after the units of conversations, in this order."""

TABLES: Mapping[type[Model], Callable[[list[Any]], object]] = {
    AuditEntry: chain.append_hot,
    SecurityEvent: chain.append_hot,
}
"""For the host's Plan: which rows these units insert."""
