"""What happened under one trace, as steps on a common scale; nothing is read or written here."""

import json
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from apps.audit.models import AuditEntry, SecurityEvent

SCALE = 1_000
LEAST = 4
"""The narrowest bar that is still seen, of `SCALE`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One call. Without `after` it is open: nobody has written how it ended.

    `offset` and `width` are its bar, of `SCALE`; an open one reaches to the end.
    """

    before: AuditEntry
    after: AuditEntry | None
    began: datetime
    ended: datetime
    duration_ms: int | None
    number: int | None
    arguments: str
    error: str
    events: Sequence[SecurityEvent]
    offset: int = 0
    width: int = SCALE


@dataclass(frozen=True, slots=True, kw_only=True)
class Timeline:
    """The steps in the order in which they began; `loose` are events of calls that are not here."""

    began: datetime
    ended: datetime
    steps: Sequence[Step]
    loose: Sequence[SecurityEvent]

    @property
    def duration_ms(self) -> int:
        return round((self.ended - self.began).total_seconds() * 1_000)


def timeline_of(entries: Iterable[AuditEntry], events: Sequence[SecurityEvent]) -> Timeline | None:
    """None when there is nothing."""
    halves: dict[str, dict[str, AuditEntry]] = defaultdict(dict)
    for entry in entries:
        halves[entry.audit_id][entry.phase] = entry
    steps = [_step(pair, events) for pair in halves.values()]
    loose = [event for event in events if event.audit_id not in halves]
    times = [time for step in steps for time in (step.began, step.ended)]
    times += [event.at for event in events]
    if not times:
        return None
    began, ended = min(times), max(times)
    placed = sorted((_placed(step, began, ended) for step in steps), key=lambda step: step.began)
    return Timeline(began=began, ended=ended, steps=placed, loose=loose)


def _step(pair: dict[str, AuditEntry], events: Iterable[SecurityEvent]) -> Step:
    after = pair.get("after")
    before = pair.get("before") or pair["after"]
    planned, ending = _body(before), _body(after) if after else {}
    duration = ending.get("durationMs")
    lasted = timedelta(milliseconds=duration) if isinstance(duration, int) else timedelta()
    return Step(
        before=before,
        after=after,
        began=before.at,
        ended=before.at + lasted,
        duration_ms=duration if isinstance(duration, int) else None,
        number=planned.get("step"),
        arguments=_pretty(planned.get("arguments")),
        error=str(ending.get("error") or planned.get("argumentsError") or ""),
        events=[event for event in events if event.audit_id == before.audit_id],
    )


def _placed(step: Step, began: datetime, ended: datetime) -> Step:
    whole = (ended - began) / SCALE or timedelta(microseconds=1)
    offset = min(int((step.began - began) / whole), SCALE - LEAST)
    width = SCALE - offset
    if step.after:
        width = min(width, max(LEAST, int((step.ended - step.began) / whole)))
    return replace(step, offset=offset, width=width)


def _body(entry: AuditEntry) -> dict[str, Any]:
    """What is no JSON object tells nothing; the row is shown all the same."""
    try:
        found = json.loads(entry.body)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _pretty(value: Any) -> str:
    return "" if value in (None, {}) else json.dumps(value, ensure_ascii=False, indent=2)
