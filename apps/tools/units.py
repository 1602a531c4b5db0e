"""The writer's unit of the tools: a call is opened, its audit row in the same transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Model

from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.lib.writer.rounds import Inserts, Unit
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.tools.models import ToolRun
from apps.tools.outcome import Opened
from apps.tools.rows import before_entry, new_audit_id, planned_run
from apps.tools.session import ToolSession


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCall(Unit[Opened]):
    """The tool run, planned, and audit.before; a call that has them keeps those it has."""

    session: ToolSession
    call: ToolCall
    place: Place

    @classmethod
    def write(cls, units: Sequence["OpenCall"], inserts: Inserts) -> list[Opened]:
        ids = [unit.call.id for unit in units]
        rows = ToolRun.objects.filter(tool_call_id__in=ids)
        known = dict(rows.values_list("tool_call_id", "audit_id"))
        return [unit._open(known, inserts) for unit in units]

    def _open(self, known: dict[str, str], inserts: Inserts) -> Opened:
        if audit_id := known.get(self.call.id):
            return Opened(audit_id=audit_id, fresh=False)
        known[self.call.id] = audit_id = new_audit_id()
        inserts.add(planned_run(self.session, self.call, self.place, audit_id))
        inserts.add(before_entry(self.session, self.call, self.place, audit_id))
        return Opened(audit_id=audit_id, fresh=True)


KINDS: tuple[type[Unit[Any]], ...] = (OpenCall,)
"""For the host's Plan: after the units of conversations, in this order."""

TABLES: Mapping[type[Model], Callable[[list[Any]], object]] = {
    ToolRun: ToolRun.objects.bulk_create,
    AuditEntry: chain.append,
}
"""For the host's Plan: which rows these units insert."""
