"""Reading an untrusted JSON object key by key, collecting what is wrong by its path."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from apps.forms import faults
from apps.forms.faults import Fault, Faults
from apps.forms.fields import is_storable
from apps.forms.numbers import as_double, is_number
from apps.runtime.text import clean_text

UNKNOWN_NAMED = 20
"""So many unknown keys are named; a hostile body has thousands."""
NAME_SHOWN = 200


def shown_key(key: object) -> str:
    """A foreign key as it may stand in an answer."""
    return clean_text(str(key)[:NAME_SHOWN])


def text_fault(value: object, limit: int) -> Fault | None:
    """What is wrong with a text of at most `limit` code points."""
    if not isinstance(value, str):
        return faults.NOT_TEXT
    if len(value) > limit:
        return faults.too_long(limit, len(value))
    return None if is_storable(value) else faults.NOT_STORABLE


@dataclass(frozen=True, slots=True)
class Reader:
    """One object at one path. What it reads wrong goes to `found` and comes back as None."""

    source: Mapping[str, Any]
    path: str
    found: Faults

    def at(self, key: str) -> str:
        return f"{self.path}.{key}" if self.path else key

    def reject(self, key: str, fault: Fault) -> None:
        self.found.setdefault(self.at(key), fault)

    def only(self, keys: Sequence[str]) -> None:
        """Reject every other key."""
        unknown = [key for key in self.source if key not in keys]
        for key in unknown[:UNKNOWN_NAMED]:
            self.reject(shown_key(key), faults.UNKNOWN_KEY)

    def has(self, key: str, *, required: bool) -> bool:
        if required and key not in self.source:
            self.reject(key, faults.MISSING_KEY)
        return key in self.source

    def text(self, key: str, limit: int, *, required: bool = True) -> str | None:
        if not self.has(key, required=required):
            return None
        value = self.source[key]
        if fault := text_fault(value, limit):
            self.reject(key, fault)
            return None
        return str(value)

    def flag(self, key: str) -> bool:
        """An optional boolean; absent is False."""
        value = self.source.get(key, False)
        if not isinstance(value, bool):
            self.reject(key, faults.NOT_BOOLEAN)
        return value is True

    def number(self, key: str) -> int | float | None:
        """An optional finite number."""
        if not self.has(key, required=False):
            return None
        value = self.source[key]
        if not is_number(value):
            self.reject(key, faults.NOT_NUMBER)
            return None
        if (double := as_double(value)) is None:
            self.reject(key, faults.NOT_FINITE)
        return double

    def objects(
        self, key: str, bounds: tuple[int, int], *, required: bool = True
    ) -> list["Reader"]:
        """A list of `bounds` many objects; those that are none are rejected, each at its path."""
        if not self.has(key, required=required):
            return []
        value = self.source[key]
        if not isinstance(value, list):
            self.reject(key, faults.NOT_LIST)
            return []
        least, most = bounds
        if not least <= len(value) <= most:
            self.reject(key, faults.bad_count(least, most))
            return []
        return [
            reader
            for index, item in enumerate(value)
            if (reader := open_object(item, f"{self.at(key)}[{index}]", self.found))
        ]


def open_object(value: object, path: str, found: Faults) -> Reader | None:
    """A reader of `value`, or a fault at `path` when it is no object."""
    if isinstance(value, Mapping):
        return Reader(value, path, found)
    found[path] = faults.NOT_OBJECT
    return None
