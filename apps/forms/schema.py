"""The one schema of forms: what may be rendered, and what may be filled in.

Pure: no Django, no database, no cache; the same input always gets the same answer.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from apps.forms import faults
from apps.forms.faults import FormSchemaError, FormValuesError
from apps.forms.fields import (
    DESCRIPTION_LIMIT,
    FIELD_TYPES,
    FIELDS,
    LABEL_LIMIT,
    NAME,
    OPEN_TEXT_LIMIT,
    OPTIONS,
    TITLE_LIMIT,
    Field,
    FieldType,
    Option,
)
from apps.forms.numbers import as_double, is_number
from apps.forms.reading import Reader, open_object, text_fault
from apps.forms.summary import summarise
from apps.forms.values import clean_values

__all__ = ["Form", "FormSchemaError", "FormValuesError", "parse_form"]

FORM_KEYS = ("title", "description", "fields")
FIELD_KEYS = ("name", "label", "type", "required", "placeholder", "options", "min", "max")
OPTION_KEYS = ("label", "value")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A form that can be shown; `id` is the id of the tool call that asked for it."""

    id: str
    title: str
    description: str | None = None
    fields: tuple[Field, ...]

    def clean(self, values: Any) -> dict[str, Any]:
        """The fields that are filled in, by name; raises FormValuesError (errors by field name).

        Missing, null and blank are left out. Numbers come as the double a browser has, whole ones
        as int; a select's value is the option's own. Cleaning what was cleaned changes nothing.
        """
        cleaned, found = clean_values(self.fields, values)
        if found:
            raise FormValuesError(found)
        return cleaned

    def summary(self, values: Mapping[str, Any]) -> str:
        """The sentence that stands for cleaned values."""
        return summarise(self.title, self.fields, values)

    def payload(self) -> dict[str, Any]:
        """Without id and state: `parse_form` of it gives this form again."""
        shown: dict[str, Any] = {"title": self.title}
        if self.description is not None:
            shown["description"] = self.description
        return shown | {"fields": [field.payload() for field in self.fields]}


def parse_form(data: Any, form_id: str) -> Form:
    """The form that `data` (a decoded JSON value) describes; raises FormSchemaError."""
    found: faults.Faults = {}
    form = _read_form(reader, form_id) if (reader := open_object(data, "", found)) else None
    if found or form is None:
        raise FormSchemaError(found)
    return form


def _read_form(reader: Reader, form_id: str) -> Form:
    reader.only(FORM_KEYS)
    title = reader.text("title", TITLE_LIMIT)
    description = reader.text("description", DESCRIPTION_LIMIT, required=False)
    seen: set[str] = set()
    fields = tuple(_read_field(item, seen) for item in reader.objects("fields", FIELDS))
    return Form(id=form_id, title=title or "", description=description, fields=fields)


def _read_field(reader: Reader, seen: set[str]) -> Field:
    reader.only(FIELD_KEYS)
    name, kind = _read_name(reader, seen), _read_type(reader)
    label = reader.text("label", LABEL_LIMIT)
    options = _read_options(reader, kind)
    least, most = reader.number("min"), reader.number("max")
    if least is not None and most is not None and least > most:
        reader.reject("min", faults.BAD_RANGE)
    counts = kind == "number"
    return Field(
        name=name,
        label=label or "",
        type=kind or "text",
        required=reader.flag("required"),
        placeholder=reader.text("placeholder", OPEN_TEXT_LIMIT, required=False),
        options=options if kind == "select" else (),
        min=least if counts else None,
        max=most if counts else None,
    )


def _read_name(reader: Reader, seen: set[str]) -> str:
    if not reader.has("name", required=True):
        return ""
    name = reader.source["name"]
    if not isinstance(name, str):
        reader.reject("name", faults.NOT_TEXT)
        return ""
    if not NAME.fullmatch(name):
        reader.reject("name", faults.BAD_NAME)
    elif name in seen:
        reader.reject("name", faults.DUPLICATE_NAME)
    seen.add(name)
    return name


def _read_type(reader: Reader) -> FieldType | None:
    if not reader.has("type", required=True):
        return None
    for kind in FIELD_TYPES:
        if reader.source["type"] == kind:
            return kind
    reader.reject("type", faults.BAD_TYPE)
    return None


def _read_options(reader: Reader, kind: FieldType | None) -> tuple[Option, ...]:
    """Those of a select; elsewhere they are of no use, may be empty, and are dropped."""
    least, most = OPTIONS
    choosing = kind == "select"
    items = reader.objects("options", (least if choosing else 0, most), required=choosing)
    return tuple(_read_option(item) for item in items)


def _read_option(reader: Reader) -> Option:
    reader.only(OPTION_KEYS)
    label = reader.text("label", OPEN_TEXT_LIMIT)
    value = _read_choice(reader) if reader.has("value", required=True) else ""
    return Option(label=label or "", value=value)


def _read_choice(reader: Reader) -> str | int | float:
    value = reader.source["value"]
    if isinstance(value, str):
        if fault := text_fault(value, OPEN_TEXT_LIMIT):
            reader.reject("value", fault)
        return value
    if not is_number(value):
        reader.reject("value", faults.NOT_CHOICE)
        return ""
    if (double := as_double(value)) is None:
        reader.reject("value", faults.NOT_FINITE)
    return double or 0
