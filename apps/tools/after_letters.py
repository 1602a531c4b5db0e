"""Dead letters of audit.after. Each holds the entry whole, so its tool run may be deleted."""

import json
import logging
from typing import Any

from django.db import DatabaseError, transaction

from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.audit.services.alerts import raise_alert
from apps.audit.services.dead_letters import bury
from apps.lib import clock
from apps.lib.canonical import canonical_json, digest
from apps.tools.after_entries import entries_of
from apps.tools.models import ToolRun

logger = logging.getLogger(__name__)
KIND = "audit_after"
FIELDS = (
    "audit_id", "user_id", "username", "organisation_id", "agent", "tool", "run_id",
    "tool_call_id", "surface", "trace_id", "outcome", "body",
)  # fmt: skip


def bury_run(run: ToolRun, reason: str) -> bool:
    """State and letter in one transaction; False, and an alert, when that fails: it stays open."""
    rows = ToolRun.objects.filter(pk=run.pk, audit_state=ToolRun.AuditState.OPEN)
    try:
        with transaction.atomic():
            if rows.update(audit_state=ToolRun.AuditState.DEAD, audit_due_at=None):
                bury(
                    kind=KIND,
                    key=run.audit_id,
                    reason=reason,
                    payload=_payload(run),
                    attempts=run.audit_attempts,
                    organisation_id=run.organisation_id,
                    trace_id=run.trace_id,
                )
    except DatabaseError:
        logger.exception("dead letter of %s not written, its audit stays open", run.audit_id)
        raise_alert(
            cause="audit_open",
            severity="critical",
            object_kind=KIND,
            detail=f"{run.audit_id}: {reason}",
        )
        return False
    return True


def bury_unknown(audit_id: str) -> None:
    """A message about a call without any row; one that has audit.before is the sweeper's."""
    if not AuditEntry.objects.filter(audit_id=audit_id).exists():
        payload = canonical_json({"audit_id": audit_id})
        bury(kind=KIND, key=audit_id[:64], reason="no such call", payload=payload, attempts=1)


def bury_unreadable(message: object) -> None:
    """A message that names no calls."""
    payload = canonical_json(repr(message)[:4_000])
    bury(kind=KIND, key=digest(payload), reason="unreadable payload", payload=payload, attempts=1)


def replay(payload: str) -> None:
    """Write the entry if it does not stand; raises LookupError without audit.before, ValueError."""
    fields = _read(payload)
    entries = AuditEntry.objects.filter(audit_id=fields["audit_id"])
    with transaction.atomic():
        runs = ToolRun.objects.filter(audit_id=fields["audit_id"])
        runs.filter(audit_state=ToolRun.AuditState.DEAD).update(
            audit_state=ToolRun.AuditState.WRITTEN
        )
        if entries.filter(phase=AuditEntry.Phase.AFTER).exists():
            return
        if not entries.exists():
            raise LookupError("audit.before is missing")
        chain.append([AuditEntry(phase=AuditEntry.Phase.AFTER, at=clock.now(), **fields)])


def _payload(run: ToolRun) -> str:
    """The entry's columns; without audit.before those that the run knows."""
    entries, _ = entries_of([run])
    if entries:
        return canonical_json({name: getattr(entries[0], name) for name in FIELDS})
    known = {"audit_id", "user_id", "organisation_id", "agent", "run_id", "tool_call_id"}
    row = {name: getattr(run, name) for name in known}
    return canonical_json({**row, "tool": run.name, "outcome": run.status})


def _read(payload: str) -> dict[str, Any]:
    fields = json.loads(payload)
    if not isinstance(fields, dict) or not set(FIELDS) <= fields.keys():
        raise ValueError("unreadable payload")
    return {name: fields[name] for name in FIELDS}
