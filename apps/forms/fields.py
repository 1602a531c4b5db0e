"""What a form is made of, and the limits of its parts."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, get_args

FieldType: TypeAlias = Literal["text", "textarea", "number", "select", "date", "switch"]
FIELD_TYPES: tuple[FieldType, ...] = get_args(FieldType)
NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}")  # for fullmatch: `$` would let a newline pass

TITLE_LIMIT = 50
DESCRIPTION_LIMIT = 200
LABEL_LIMIT = 50
OPEN_TEXT_LIMIT = 2_000  # placeholders and options, for which the contract names no limit
FIELDS = (1, 8)
OPTIONS = (1, 20)
VALUE_LIMITS: Mapping[str, int] = {"text": 500, "textarea": 2_000}

_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


def is_storable(text: str) -> bool:
    """Whether a database can keep it: no NUL, no lone surrogate."""
    return _UNSTORABLE.search(text) is None


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One choice of a select; its value keeps its type, 1 is not "1"."""

    label: str
    value: str | int | float

    def payload(self) -> dict[str, Any]:
        return {"label": self.label, "value": self.value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """One question. `options` are those of a select, `min` and `max` (inclusive) of a number."""

    name: str
    label: str
    type: FieldType
    required: bool = False
    placeholder: str | None = None
    options: tuple[Option, ...] = ()
    min: int | float | None = None
    max: int | float | None = None

    def payload(self) -> dict[str, Any]:
        """As the page and the model know it: what is not set is left out."""
        shown: dict[str, Any] = {"name": self.name, "label": self.label, "type": self.type}
        if self.required:
            shown["required"] = True
        if self.options:
            shown["options"] = [option.payload() for option in self.options]
        for key in ("placeholder", "min", "max"):
            if (value := getattr(self, key)) is not None:
                shown[key] = value
        return shown
