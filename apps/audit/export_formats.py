"""Audit rows as JSON Lines and as CSV; no text leaves that a spreadsheet would run."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from apps.audit.models import AuditEntry
from apps.audit.sanitizer import redact_secrets, sanitize

KEYS = ("auditId", "phase", "at", "user", "agent", "tool", "runId", "toolCallId", "outcome")
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001

Line = Mapping[str, Any]


def line_of(entry: AuditEntry) -> Line:
    """What is exported of a row. A row before its call has no outcome: null."""
    return {
        "auditId": entry.audit_id,
        "phase": entry.phase,
        "at": entry.at.isoformat(timespec="microseconds"),
        "user": _name(entry.username),
        "agent": _text(entry.agent),
        "tool": _text(entry.tool),
        "runId": entry.run_id,
        "toolCallId": entry.tool_call_id,
        "outcome": _text(entry.outcome) if entry.outcome else None,
    }


def as_jsonl(lines: Iterable[Line]) -> Iterator[str]:
    """One object a line."""
    for line in lines:
        yield json.dumps(line, ensure_ascii=False) + "\n"


def as_csv(lines: Iterable[Line]) -> Iterator[str]:
    """The keys first; a cell that would be read as a formula begins with an apostrophe."""
    buffer = io.StringIO()
    write = csv.writer(buffer).writerow
    write(KEYS)
    for line in lines:
        write([_cell(line[key]) for key in KEYS])
        yield buffer.getvalue()
        buffer.seek(0)
        buffer.truncate()
    yield buffer.getvalue()


FORMATS: Mapping[str, Callable[[Iterable[Line]], Iterator[str]]] = {
    "jsonl": as_jsonl,
    "csv": as_csv,
}


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return f"'{text}" if text.lstrip(" ").startswith(_FORMULA) else text


@lru_cache(maxsize=4_096)
def _text(text: str) -> str:
    """Names that a model may have made up."""
    return sanitize(text)


@lru_cache(maxsize=4_096)
def _name(username: str) -> str:
    """Who did it must stay readable, also where names are addresses."""
    return redact_secrets(username)
