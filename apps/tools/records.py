"""The state of a call in the database: one conditional update decides each change.

The end of a call leaves its audit.after due: the tool run says so, and is its outbox.
"""

import json
from collections.abc import Collection

from apps.lib import clock
from apps.runtime.messages import JsonObject, ToolAnswer
from apps.tools.endings import LIVE as LIVE
from apps.tools.endings import Ending, failing, success
from apps.tools.models import ToolRun
from apps.tools.outcome import Done, Failure
from apps.tools.stable_json import LIMIT


class CallLostError(Exception):
    """The call was ended by somebody else; what it did is rolled back."""


def start(tool_call_id: str) -> bool:
    """Planned to started; False when the call was ended before it began."""
    rows = ToolRun.objects.filter(tool_call_id=tool_call_id, status=ToolRun.Status.PLANNED)
    return rows.update(status=ToolRun.Status.STARTED, started_at=clock.now()) == 1


def succeed(tool_call_id: str, done: Done, duration_ms: int) -> ToolAnswer:
    """Started to succeeded, inside the caller's transaction; raises CallLostError."""
    ending = success(tool_call_id, done, duration_ms)
    if not _end(ending, (ToolRun.Status.STARTED,)):
        raise CallLostError(tool_call_id)
    return ending.answer(dict(done.told))


def fail(
    tool_call_id: str, failure: Failure, duration_ms: int, *, states: Collection[str] = LIVE
) -> bool:
    """From one of `states` to how it failed; False when another end stands."""
    return _end(failing(tool_call_id, failure, duration_ms), states)


def answers(tool_call_ids: Collection[str]) -> dict[str, ToolAnswer]:
    """The committed answers of these calls; a call that is open has none."""
    rows = ToolRun.objects.filter(tool_call_id__in=tool_call_ids, ok__isnull=False)
    return {row.tool_call_id: answer_of(row) for row in rows}


def told_of(row: ToolRun) -> JsonObject | None:
    """The result as model and client saw it: the whole one, unless it had to be cut."""
    text = (row.content if len(row.result) > LIMIT else "") or row.result
    told: JsonObject | None = json.loads(text) if text else None
    return told


def answer_of(row: ToolRun) -> ToolAnswer:
    """What model and client were told of a call that has ended."""
    return ToolAnswer(
        ok=bool(row.ok),
        content=row.content,
        result=told_of(row),
        error=row.error_message,
        duration_ms=row.duration_ms,
    )


def _end(ending: Ending, states: Collection[str]) -> bool:
    changes = ending._asdict()
    rows = ToolRun.objects.filter(tool_call_id=changes.pop("tool_call_id"), status__in=states)
    return rows.update(finished_at=clock.now(), **changes) == 1
