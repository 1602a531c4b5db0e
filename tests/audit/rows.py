"""Rows of the audit, made plainly."""

from datetime import datetime
from typing import Any

from apps.audit import chain
from apps.audit.models import AuditEntry, SecurityEvent
from apps.lib import clock
from apps.lib.ids import new_id


def entry(**fields: Any) -> AuditEntry:
    """A before-row that is not inserted yet."""
    values: dict[str, Any] = {
        "audit_id": new_id(),
        "phase": "before",
        "at": clock.now(),
        "user_id": 1,
        "username": "alice",
        "organisation_id": 1,
        "agent": "assistant",
        "tool": "create_student",
        "run_id": new_id(),
        "tool_call_id": new_id(),
        "surface": "chat",
        "trace_id": "0" * 32,
        "body": "{}",
    }
    return AuditEntry(**(values | fields))


def pair(outcome: str = "succeeded", **fields: Any) -> list[AuditEntry]:
    """Both halves of one call."""
    before = entry(**fields)
    ids = {"audit_id": before.audit_id, "run_id": before.run_id, "at": before.at}
    after = entry(**(fields | ids), phase="after", outcome=outcome)
    after.tool_call_id = before.tool_call_id
    return [before, after]


def event(at: datetime | None = None, **fields: Any) -> SecurityEvent:
    values: dict[str, Any] = {
        "kind": "refused",
        "at": at or clock.now(),
        "audit_id": new_id(),
        "user_id": 1,
        "username": "alice",
        "organisation_id": 1,
        "tool": "create_student",
        "trace_id": "0" * 32,
        "detail": "x",
    }
    return SecurityEvent(**(values | fields))


def append(*rows: Any) -> None:
    chain.append(list(rows))
