"""What holds for every form and every value, however odd."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from apps.forms.fields import FIELD_TYPES
from apps.forms.schema import Form, FormSchemaError, FormValuesError, parse_form

scalars = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(), max_size=30)
    | st.sampled_from(["", " ", "2026-05-01", "a", "\ud800", 10**400])
)
anything = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=12,
)
names = st.from_regex(r"[a-zA-Z_][a-zA-Z0-9_]{0,63}", fullmatch=True)
labels = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=50)
numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-(10**20), 10**20)
options = st.fixed_dictionaries({"label": labels, "value": labels | numbers})


@st.composite
def fields(draw: st.DrawFn) -> dict[str, Any]:
    field: dict[str, Any] = {
        "name": draw(names),
        "label": draw(labels),
        "type": draw(st.sampled_from(FIELD_TYPES)),
    }
    if field["type"] == "select":
        field["options"] = draw(st.lists(options, min_size=1, max_size=20))
    if field["type"] == "number":
        field["min"], field["max"] = sorted(draw(st.tuples(numbers, numbers)))
    return field | draw(st.sampled_from([{}, {"required": True}, {"required": False}]))


@st.composite
def forms(draw: st.DrawFn) -> Form:
    asked = draw(st.lists(fields(), min_size=1, max_size=8, unique_by=lambda f: f["name"]))
    return parse_form({"title": draw(labels), "fields": asked}, "f")


def faults_of_schema(data: Any) -> dict[str, str]:
    try:
        parse_form(data, "f")
    except FormSchemaError as error:
        return error.errors
    return {"title": "fits"}


def faults_of(form: Form, values: Any) -> dict[str, str]:
    try:
        form.clean(values)
    except FormValuesError as error:
        return error.errors
    return {"title": "fits"}


def sayable(errors: dict[str, str]) -> bool:
    """There is something to say, and it can be sent."""
    return bool("".join([*errors, *errors.values()]).encode())


@given(anything | st.fixed_dictionaries({"title": anything, "fields": st.lists(anything)}))
def test_reading_a_form_raises_only_its_error(data: Any) -> None:
    assert sayable(faults_of_schema(data))


@given(forms())
def test_a_form_read_again_is_the_same(form: Form) -> None:
    text = json.dumps(form.payload(), allow_nan=False)
    assert parse_form(json.loads(text), "f") == form


@given(forms(), st.data())
def test_cleaning_raises_only_its_error(form: Form, data: st.DataObject) -> None:
    known = {field.name: anything for field in form.fields}
    values = data.draw(anything | st.fixed_dictionaries({}, optional=known))
    assert sayable(faults_of(form, values))


@pytest.mark.req("FORM-1")
@settings(max_examples=200)
@given(forms(), st.data())
def test_clean_values_are_json_and_stay_as_they_are(form: Form, data: st.DataObject) -> None:
    fitting = {field.name: _fitting(field) for field in form.fields}
    try:
        cleaned = form.clean(data.draw(st.fixed_dictionaries({}, optional=fitting)))
    except FormValuesError:
        return
    stored = json.loads(json.dumps(cleaned, allow_nan=False))
    assert form.clean(stored) == cleaned
    assert form.summary(stored) == form.summary(cleaned)


def _fitting(field: Any) -> st.SearchStrategy[Any]:
    if field.type == "select":
        return st.sampled_from([option.value for option in field.options])
    if field.type == "number":
        return st.floats(field.min, field.max)
    return {"switch": st.booleans(), "date": st.dates().map(str)}.get(field.type, labels)
