"""Ends many calls in one statement; each row decides for itself whether it was still open."""

from collections.abc import Sequence
from typing import NamedTuple

from django.db import connection

from apps.lib import clock
from apps.lib.canonical import canonical_json
from apps.lib.writer.statements import listed, run
from apps.runtime.messages import JsonObject, ToolAnswer
from apps.tools.models import ToolRun
from apps.tools.outcome import Done, Failure

LIVE = (ToolRun.Status.PLANNED, ToolRun.Status.STARTED)


class Ending(NamedTuple):
    """What is kept of a call's end, in the order of the statement."""

    tool_call_id: str
    status: str
    ok: bool
    result: str
    content: str
    error_message: str
    duration_ms: int

    def answer(self, told: JsonObject | None = None) -> ToolAnswer:
        return ToolAnswer(
            ok=self.ok,
            content=self.content,
            result=told,
            error=self.error_message,
            duration_ms=self.duration_ms,
        )


def success(tool_call_id: str, done: Done, duration_ms: int) -> Ending:
    """The call did what it was asked to; `content` is what is told, `result` the whole."""
    text = canonical_json(done.told)
    whole = done.kept or text
    return Ending(tool_call_id, ToolRun.Status.SUCCEEDED, True, whole, text, "", duration_ms)


def failing(tool_call_id: str, failure: Failure, duration_ms: int) -> Ending:
    """The call did not, and why."""
    content = canonical_json({"ok": False, "error": failure.text})
    shown = failure.shown or failure.text
    return Ending(tool_call_id, failure.status, False, "", content, shown, duration_ms)


def end_runs(endings: Sequence[Ending], *, audit_state: str) -> set[str]:
    """The calls that were open and end now, in this way."""
    if not endings:
        return set()
    first = {ending.tool_call_id: ending for ending in reversed(endings)}
    source, values = listed(_TYPES, [first[key] for key in sorted(first)])
    finished_at = connection.ops.adapt_datetimefield_value(clock.now())
    sql = _END.format(table=ToolRun._meta.db_table, source=source)
    ended = run(sql, [finished_at, str(audit_state), *values, *map(str, LIVE)])
    return {tool_call_id for (tool_call_id,) in ended}


_TYPES = ("text", "text", "boolean", "text", "text", "text", "integer")
_END = """
    UPDATE {table} SET finished_at = %s, audit_state = %s,
        status = e.column2, ok = e.column3, result = e.column4, content = e.column5,
        error_message = e.column6, duration_ms = e.column7
    FROM ({source}) AS e
    WHERE tool_call_id = e.column1 AND {table}.status IN (%s, %s)
    RETURNING tool_call_id
"""
