"""The state of a call in the database: one conditional update decides each change.

Every end of a call writes the tool run's outcome and audit.after in one transaction.
"""

import json
from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.lib import clock
from apps.lib.canonical import canonical_json
from apps.runtime.messages import ToolAnswer
from apps.tools.models import ToolRun
from apps.tools.outcome import Failure
from apps.tools.rows import after_entry, security_event

WRITTEN = ToolRun.AuditState.WRITTEN
LIVE = (ToolRun.Status.PLANNED, ToolRun.Status.STARTED)


class CallLostError(Exception):
    """The call was ended by somebody else; what it did is rolled back."""


def start(tool_call_id: str) -> bool:
    """Planned to started; False when the call was ended before it began."""
    rows = ToolRun.objects.filter(tool_call_id=tool_call_id, status=ToolRun.Status.PLANNED)
    return rows.update(status=ToolRun.Status.STARTED, started_at=clock.now()) == 1


def succeed(tool_call_id: str, result: Mapping[str, Any], duration_ms: int) -> ToolAnswer:
    """Started to succeeded, inside the caller's transaction; raises CallLostError."""
    text = canonical_json(result)
    changes = {
        "status": ToolRun.Status.SUCCEEDED,
        "ok": True,
        "result": text,
        "content": text,
        "duration_ms": duration_ms,
    }
    if not _end(tool_call_id, (ToolRun.Status.STARTED,), changes, outcome="succeeded"):
        raise CallLostError(tool_call_id)
    return ToolAnswer(ok=True, content=text, result=dict(result), duration_ms=duration_ms)


def fail(
    tool_call_id: str, failure: Failure, duration_ms: int, *, states: Collection[str] = LIVE
) -> bool:
    """From one of `states` to how it failed; False when another end stands."""
    changes = {
        "status": failure.status,
        "ok": False,
        "content": failure_content(failure.text),
        "error_message": failure.text,
        "duration_ms": duration_ms,
    }
    with transaction.atomic():
        if not _end(tool_call_id, states, changes, outcome=failure.outcome):
            return False
        if failure.security:
            run = ToolRun.objects.get(tool_call_id=tool_call_id)
            chain.append([security_event(_before(run), failure.security, failure.detail)])
        return True


def answers(tool_call_ids: Collection[str]) -> dict[str, ToolAnswer]:
    """The committed answers of these calls; a call that is open has none."""
    rows = ToolRun.objects.filter(tool_call_id__in=tool_call_ids, ok__isnull=False)
    return {row.tool_call_id: answer_of(row) for row in rows}


def answer_of(row: ToolRun) -> ToolAnswer:
    """What model and client were told of a call that has ended."""
    return ToolAnswer(
        ok=bool(row.ok),
        content=row.content,
        result=json.loads(row.result) if row.result else None,
        error=row.error_message,
        duration_ms=row.duration_ms,
    )


def failure_content(text: str) -> str:
    """How the model is told."""
    return canonical_json({"ok": False, "error": text})


def _end(
    tool_call_id: str, states: Collection[str], changes: Mapping[str, Any], *, outcome: str
) -> bool:
    rows = ToolRun.objects.filter(tool_call_id=tool_call_id)
    if (
        rows.filter(status__in=states).update(
            finished_at=clock.now(), audit_state=WRITTEN, **changes
        )
        != 1
    ):
        return False
    run = rows.get()
    chain.append([after_entry(run, _before(run), outcome)])
    return True


def _before(run: ToolRun) -> AuditEntry:
    return AuditEntry.objects.get(audit_id=run.audit_id, phase=AuditEntry.Phase.BEFORE)
