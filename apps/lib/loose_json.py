"""Decoded JSON of the wrong types, taken for what it plainly means."""

import json
from collections.abc import Mapping
from typing import Any


def object_of(value: Any) -> Mapping[str, Any]:
    """An object, or an empty one."""
    return value if isinstance(value, Mapping) else {}


def object_in(text: str) -> Mapping[str, Any] | None:
    """The object that a text is; None for any other text."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, Mapping) else None


def array_of(value: Any) -> list[Any]:
    """An array, or an empty one."""
    return value if isinstance(value, list) else []


def integer_of(value: Any) -> int | None:
    """A whole number, also one sent as text; None for anything else."""
    try:
        return int(value)
    except (TypeError, ValueError, OverflowError):
        return None


def count_of(value: Any) -> int | None:
    """A whole number that can be a count and that a column holds; None for anything else."""
    number = integer_of(value)
    return number if number is not None and 0 <= number < 2**31 else None


def text_of(value: Any) -> str:
    """Text, also out of content parts: `[{"type": "text", "text": "…"}]`."""
    if value is None:
        return ""
    if isinstance(value, list):
        return "".join(text_of(object_of(part).get("text")) for part in value)
    return str(value)
