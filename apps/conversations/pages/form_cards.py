"""Forms as the page shows them: to be filled in, or as what was submitted.

A form comes as the entry of `metadata.uiForms` that the live stream carries too.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar

from django.utils.translation import gettext as _

SUBMITTED = "submitted"


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionView:
    """One choice; `value` is JSON text, so that 1 and "1" stay apart."""

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldView:
    """One question with its control; `control` is the id on which label and help hang."""

    name: str = ""
    label: str = ""
    type: str = "text"
    required: bool = False
    placeholder: str = ""
    options: Sequence[OptionView] = ()
    min: int | float | None = None
    max: int | float | None = None
    control: str = ""

    @property
    def help(self) -> str:
        """The bounds of a number in words."""
        bounds = {"min": self.min, "max": self.max}
        if self.min is not None and self.max is not None:
            return _("%(min)s 到 %(max)s") % bounds
        if self.min is not None:
            return _("不小于 %(min)s") % bounds
        return _("不大于 %(max)s") % bounds if self.max is not None else ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A label and what was filled in, as text."""

    label: str
    value: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCard:
    """A form; `schema` is the JSON that the page's checks read, `rows` what was submitted."""

    template: ClassVar = "chat/form.html"
    id: str = ""
    title: str = ""
    description: str = ""
    state: str = "pending"
    fields: Sequence[FieldView] = ()
    schema: str = ""
    rows: Sequence[Row] = ()
    summary: str = ""

    @property
    def is_submitted(self) -> bool:
        return self.state == SUBMITTED


def form_card(
    form: Mapping[str, Any],
    values: Mapping[str, Any] | None,
    earlier: Mapping[str, Any] = MappingProxyType({}),
) -> FormCard:
    """`values` are those of the submission, where it is at hand; else the summary has to do.

    `earlier` was filled in before this form was asked for: it begins with what of that it asks.
    """
    fields = [_field(form["id"], field) for field in form["fields"]]
    submitted = form.get("status") == SUBMITTED
    return FormCard(
        id=form["id"],
        title=form["title"],
        description=form.get("description") or "",
        state=form.get("status", "pending"),
        fields=fields,
        schema="" if submitted else _schema(form, earlier),
        rows=tuple(_rows(form["fields"], values)) if submitted and values is not None else (),
        summary=form.get("submittedSummary", ""),
    )


def blank_fields() -> list[FieldView]:
    """One of each type, for the templates that the client clones."""
    kinds = ("text", "textarea", "number", "select", "date", "switch")
    return [FieldView(type=kind) for kind in kinds]


def _schema(form: Mapping[str, Any], earlier: Mapping[str, Any]) -> str:
    known = {**form.get("filled", {}), **earlier}
    names = [field["name"] for field in form["fields"]]
    filled = {name: known[name] for name in names if name in known}
    return json.dumps({**form, **({"filled": filled} if filled else {})}, ensure_ascii=False)


def _field(form_id: str, field: Mapping[str, Any]) -> FieldView:
    return FieldView(
        name=field["name"],
        label=field["label"],
        type=field["type"],
        required=field.get("required", False),
        placeholder=field.get("placeholder") or "",
        options=[
            OptionView(label=option["label"], value=json.dumps(option["value"], ensure_ascii=False))
            for option in field.get("options", ())
        ],
        min=field.get("min"),
        max=field.get("max"),
        control=f"f-{form_id}-{field['name']}",
    )


def _rows(fields: Sequence[Mapping[str, Any]], values: Mapping[str, Any]) -> Iterator[Row]:
    for field in fields:
        yield Row(label=field["label"], value=told(field, values.get(field["name"])))


def told(field: Mapping[str, Any], value: Any) -> str:
    """For people: a choice by its label, yes and no in their language."""
    if value is None:
        return _("未填写")
    if isinstance(value, bool):
        return _("是") if value else _("否")
    labels = [
        option["label"]
        for option in field.get("options", ())
        if option["value"] == value and isinstance(option["value"], str) == isinstance(value, str)
    ]
    return labels[0] if labels else str(value)
