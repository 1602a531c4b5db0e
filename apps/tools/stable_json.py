"""Any result of a tool as JSON that is the same each time, and short enough."""

import dataclasses
import enum
import math
import unicodedata
from collections.abc import Mapping, Set
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

from apps.lib.canonical import canonical_json
from apps.runtime.text import clean_text

LIMIT = 20_000
DEPTH = 32
_SIGNATURES = (
    (b"\x89PNG", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF8", "image/gif"),
    (b"%PDF", "application/pdf"),
    (b"PK\x03\x04", "application/zip"),
)
_JOINERS = "\u200d\ufe0f\ufe0e\u20e3"


def present(value: Any, limit: int = LIMIT) -> dict[str, Any]:
    """The result as an object whose text has at most `limit` characters, and a little more."""
    return shortened(stable(value), limit)


def shortened(data: Any, limit: int = LIMIT) -> dict[str, Any]:
    """The same of a value that is stable already; `truncated` says that it was cut."""
    shown: dict[str, Any] = data if isinstance(data, dict) else {"value": data}
    text = canonical_json(shown)
    if len(text) <= limit:
        return shown
    return {"truncated": True, "characters": len(text), "text": cut(text, limit)}


def stable(value: Any, depth: int = DEPTH) -> Any:
    """Plain JSON: never a debug form, never an exception."""
    if depth == 0:
        return "…"
    if isinstance(value, Mapping):
        return {_key(key): stable(item, depth - 1) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [stable(item, depth - 1) for item in value]
    if isinstance(value, Set):
        return sorted((stable(item, depth - 1) for item in value), key=canonical_json)
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = [field.name for field in dataclasses.fields(value)]
        return {name: stable(getattr(value, name), depth - 1) for name in names}
    return _single(value)


def cut(text: str, limit: int) -> str:
    """At most `limit` characters; a cluster (an emoji with its parts, an accent) stays whole."""
    if len(text) <= limit:
        return text
    end = limit
    while end > max(0, limit - 64) and _is_inside(text, end):
        end -= 1
    return text[:end]


def _is_inside(text: str, place: int) -> bool:
    before, after = text[place - 1], text[place]
    if after in _JOINERS or before == "\u200d" or unicodedata.combining(after):
        return True
    if "\U0001f3fb" <= after <= "\U0001f3ff" or "\U000e0020" <= after <= "\U000e007f":
        return True
    return _is_flag_half(before) and _is_flag_half(after) and _flags_before(text, place) % 2 == 1


def _is_flag_half(character: str) -> bool:
    return "\U0001f1e6" <= character <= "\U0001f1ff"


def _flags_before(text: str, place: int) -> int:
    count = 0
    while count < place and _is_flag_half(text[place - 1 - count]):
        count += 1
    return count


def _key(key: Any) -> str:
    single = _single(key)
    return single if isinstance(single, str) else canonical_json(single)


def _single(value: Any) -> Any:
    if isinstance(value, enum.Enum):
        return _single(value.value)
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, str):
        return clean_text(str(value))
    if isinstance(value, float):
        return value if math.isfinite(value) else str(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, bytes | bytearray | memoryview):
        return _reference(bytes(value))
    return {"type": type(value).__name__}


def _reference(content: bytes) -> dict[str, Any]:
    kind = next((kind for mark, kind in _SIGNATURES if content.startswith(mark)), None)
    return {"type": kind or "application/octet-stream", "size": len(content)}
