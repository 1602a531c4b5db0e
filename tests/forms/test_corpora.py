"""Every scored case of the two corpora, through the pure functions."""

from typing import Any

import pytest

from apps.forms.schema import FormSchemaError, FormValuesError, parse_form
from tests.forms.corpus import expected_path, load, read_leniently

FORMS, SCHEMAS = load("forms"), load("render_form")


def path_accepted(expected: str, errors: dict[str, str]) -> bool:
    """The fault of a range may stand at either end."""
    twin = expected.replace(".min", ".max") if expected.endswith(".min") else expected
    return bool({expected, twin} & errors.keys())


def is_json(raw: str) -> bool:
    try:
        read_leniently(raw)
    except ValueError:
        return False
    return True


@pytest.mark.req("FORM-1")
@pytest.mark.parametrize("case", SCHEMAS, ids=lambda case: case["id"])
def test_a_form_is_judged_as_the_case_says(case: dict[str, Any]) -> None:
    path = expected_path(case, "path")
    if "args_raw" in case and not is_json(case["args_raw"]):
        assert path is not None
        return
    args = read_leniently(case["args_raw"]) if "args_raw" in case else case["args"]
    if path is None:
        form = parse_form(args, case["id"])
        assert parse_form(form.payload(), case["id"]) == form
        return
    with pytest.raises(FormSchemaError) as caught:
        parse_form(args, case["id"])
    assert path_accepted(path, caught.value.errors), caught.value.errors


@pytest.mark.req("FORM-1")
@pytest.mark.parametrize("case", FORMS, ids=lambda case: case["id"])
def test_values_are_judged_as_the_case_says(case: dict[str, Any]) -> None:
    form, field = parse_form(case["schema"], case["id"]), expected_path(case, "field")
    if "values_raw" in case and not is_json(case["values_raw"]):
        assert field is not None
        return
    values = read_leniently(case["values_raw"]) if "values_raw" in case else case["values"]
    if field is None:
        form.clean(values)
        return
    with pytest.raises(FormValuesError) as caught:
        form.clean(values)
    assert field in caught.value.errors


@pytest.mark.req("FORM-7")
@pytest.mark.parametrize(
    "case",
    [c for c in FORMS if "expected_summary" in c and "expected_strict" not in c],
    ids=lambda case: case["id"],
)
def test_the_summary_reads_as_the_case_says(case: dict[str, Any]) -> None:
    form = parse_form(case["schema"], case["id"])
    assert form.summary(form.clean(case["values"])) == case["expected_summary"]
