"""What was filled in, held against the fields of the form."""

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Any, TypeAlias

from apps.forms import faults
from apps.forms.faults import Fault, Faults
from apps.forms.fields import VALUE_LIMITS, Field
from apps.forms.numbers import as_double, is_number, print_number
from apps.forms.reading import UNKNOWN_NAMED, shown_key, text_fault

Answer: TypeAlias = str | int | float | bool | Fault
_DATE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def is_blank(value: object) -> bool:
    """Nothing was entered: null, or a text of white space only. False and 0 are values."""
    return value is None or (isinstance(value, str) and not value.strip())


def clean_values(fields: Sequence[Field], values: object) -> tuple[dict[str, Any], Faults]:
    """What is filled in, and what is wrong, both by field name."""
    if not isinstance(values, Mapping):
        return {}, {"": faults.NOT_OBJECT}
    cleaned: dict[str, Any] = {}
    found: Faults = {}
    for field in fields:
        answer = _clean(field, values.get(field.name))
        if isinstance(answer, Fault):
            found[field.name] = answer
        elif answer is not None:
            cleaned[field.name] = answer
    names = {field.name for field in fields}
    unknown = [key for key in values if key not in names]
    for key in unknown[:UNKNOWN_NAMED]:
        found.setdefault(shown_key(key), faults.UNKNOWN_FIELD)
    return cleaned, found


def _clean(field: Field, value: object) -> Answer | None:
    """The value of one field, None where nothing was entered."""
    if field.type == "switch" and isinstance(value, str):
        return faults.NOT_BOOLEAN
    if field.type == "select" and value is not None:
        answer = _choice(field, value)
        if not isinstance(answer, Fault):
            return answer
    if is_blank(value):
        return faults.REQUIRED if field.required else None
    return _CLEANERS[field.type](field, value)


def _text(field: Field, value: object) -> Answer:
    return text_fault(value, VALUE_LIMITS[field.type]) or str(value)


def _number(field: Field, value: Any) -> Answer:
    if not is_number(value):
        return faults.NOT_NUMBER
    number = as_double(value)
    if number is None:
        return faults.NOT_FINITE
    if field.min is not None and number < field.min:
        return faults.too_small(print_number(field.min))
    if field.max is not None and number > field.max:
        return faults.too_great(print_number(field.max))
    return number


def _choice(field: Field, value: Any) -> Answer:
    """The option of the same type and value: 1.0 is 1, neither is "1" nor true."""
    sought = as_double(value) if is_number(value) else value
    if isinstance(sought, bool) or not isinstance(sought, str | int | float):
        return faults.NOT_OPTION
    for option in field.options:
        if option.value == sought:
            return option.value
    return faults.NOT_OPTION


def _date(field: Field, value: object) -> Answer:
    if not isinstance(value, str):
        return faults.NOT_TEXT
    if not _DATE.fullmatch(value):
        return faults.NOT_DATE
    try:
        date.fromisoformat(value)
    except ValueError:
        return faults.NOT_DATE
    return value


def _switch(field: Field, value: object) -> Answer:
    return value if isinstance(value, bool) else faults.NOT_BOOLEAN


_CLEANERS: Mapping[str, Callable[[Field, Any], Answer]] = {
    "text": _text,
    "textarea": _text,
    "number": _number,
    "select": _choice,
    "date": _date,
    "switch": _switch,
}
