"""Fields of a JSON Schema as questions to a person, in Chinese or English."""

import re
from collections.abc import Mapping
from typing import Any

from apps.lib import wording

_FORM_TYPES = {"integer": "number", "number": "number", "boolean": "switch"}
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


def label_of(name: str, item: Mapping[str, Any]) -> str:
    """Return the first words of a property's description."""
    return re.split(r"[，,；;。（(=：:\s]", str(item.get("description") or name))[0][:50] or name


def key_words(name: str) -> str:
    """Return the words of a name in code: `studentNo` is `student no`."""
    return re.sub(r"(?<=[a-z])(?=[A-Z])|_", " ", name).lower()


def english_of(name: str) -> str:
    """Return these words as they begin a line."""
    return key_words(name).capitalize()


def type_of(item: Mapping[str, Any]) -> str:
    """Return the JSON type beside null; of an enumeration nothing, it is no free text."""
    kinds = item.get("type", "")
    named = [kinds] if isinstance(kinds, str) else [kind for kind in kinds if kind != "null"]
    return "" if item.get("enum") or not named else str(named[0])


def typed(item: Mapping[str, Any], value: Any) -> Any:
    """Return a text as the type that the schema wants; what is no text stays as it is."""
    if not isinstance(value, str):
        return value
    match type_of(item):
        case "integer" if re.fullmatch(r"-?\d{1,15}", value):
            return int(value)
        case "number" if NUMBER.fullmatch(value):
            return float(value)
        case "boolean":
            return value.lower() in ("true", "yes", "是", "1")
    return value


def field_for(
    name: str, item: Mapping[str, Any], *, required: bool, chinese: bool
) -> dict[str, Any]:
    """Return the field of a form that asks for it."""
    label, options = label_of(name, item), list(item.get("enum") or ())[:20]
    if not chinese and wording.is_chinese(label):
        label = english_of(name)
    kind = "date" if item.get("format") == "date" else _FORM_TYPES.get(type_of(item), "text")
    field = {"name": name, "label": label, "type": kind, "required": required}
    if options:
        words = wording.VALUES if wording.is_chinese(label) else wording.ENGLISH_VALUES
        field["type"] = "select"
        field["options"] = [{"label": words.get(o, str(o)), "value": o} for o in options]
    elif chinese and (hint := str(item.get("description") or "").partition("，")[2]):
        field["placeholder"] = hint[:50]
    return field
