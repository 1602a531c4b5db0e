"""What may be filled in: the rules that the corpora do not reach, and reports from the field."""

import random
from typing import Any

import pytest

from apps.forms.schema import Form, FormSchemaError, FormValuesError, parse_form
from tests.forms.corpus import read_leniently

ONE_OF_EACH = parse_form(
    {
        "title": "登记",
        "fields": [
            {"name": "t", "label": "文本", "type": "text"},
            {"name": "a", "label": "长文本", "type": "textarea"},
            {"name": "n", "label": "数字", "type": "number"},
            {"name": "d", "label": "日期", "type": "date"},
            {"name": "s", "label": "开关", "type": "switch"},
            {"name": "c", "label": "班级", "type": "select", "options": []}
            | {"options": [{"label": "一", "value": 1}, {"label": "二", "value": "2"}]},
        ],
    },
    "f",
)


def faults(values: Any, form: Form = ONE_OF_EACH) -> dict[str, str]:
    try:
        form.clean(values)
    except FormValuesError as error:
        return error.errors
    return {}


@pytest.mark.req("FORM-1")
@pytest.mark.case("FORM-012")
@pytest.mark.parametrize("letter", ["a", "学", "😀"])
def test_lengths_count_code_points(letter: str) -> None:
    assert faults({"t": letter * 500, "a": letter * 2_000}) == {}
    assert faults({"t": letter * 501, "a": letter * 2_001}).keys() == {"t", "a"}


@pytest.mark.req("FORM-1")
@pytest.mark.case("FORM-012")
@pytest.mark.parametrize(
    "raw", ['"12"', "true", "NaN", "1e400", "-Infinity", "[1]", "1" + "0" * 400]
)
def test_only_finite_numbers_are_numbers(raw: str) -> None:
    assert faults({"n": read_leniently(raw)}).keys() == {"n"}


@pytest.mark.req("FORM-1")
@pytest.mark.case("FORM-012")
@pytest.mark.parametrize(
    "day", ["2026-02-30", "2026-5-1", "\uff12026-05-01", "2026-05-01\n", "0000-01-01"]
)
def test_only_real_days_are_dates(day: str) -> None:
    assert faults({"d": day}).keys() == {"d"}
    assert faults({"d": "2028-02-29"}) == {}


@pytest.mark.case("FORM-012")
@pytest.mark.parametrize("value", ["true", "", "on", 1, 0, []])
def test_only_booleans_switch(value: Any) -> None:
    assert faults({"s": value}).keys() == {"s"}


@pytest.mark.case("FORM-009")
def test_a_choice_of_another_form_is_refused() -> None:
    assert faults({"c": "A"}).keys() == {"c"}
    assert faults({"grade": 2, "c": 1}).keys() == {"grade"}


@pytest.mark.case("FORM-008")
@pytest.mark.req("FORM-1")
def test_no_check_depends_on_an_earlier_one() -> None:
    cases: list[tuple[Any, set[str]]] = [
        ({"n": 5}, set()),
        ({"n": "5"}, {"n"}),
        ({"c": 1, "d": "2026-05-01"}, set()),
        ({"c": True, "d": "2026-05-32"}, {"c", "d"}),
        (None, {""}),
    ]
    order = random.Random(8)
    for _round in range(100):
        values, expected = order.choice(cases)
        assert faults(values).keys() == expected


def test_what_is_missing_is_left_out() -> None:
    values = {"t": " ", "a": "\n", "n": None, "s": False, "c": 1.0}
    assert ONE_OF_EACH.clean(values) == {"s": False, "c": 1}


@pytest.mark.req("FORM-7")
def test_the_summary_names_every_field() -> None:
    values = {"t": "a", "a": " ", "n": 1e21, "s": True, "c": "2"}
    expected = "已提交「登记」表单：文本=a，长文本=未填写，数字=1e+21，日期=未填写，开关=是，班级=2"
    assert ONE_OF_EACH.summary(ONE_OF_EACH.clean(values)) == expected


def test_a_hostile_body_gets_a_short_answer() -> None:
    assert len(faults({f"k{n}": n for n in range(5_000)})) == 20
    assert all(len(path) <= 200 for path in faults({"k" * 100_000: 1}))


@pytest.mark.req("FORM-1")
@pytest.mark.parametrize("text", ["a\0b", "\ud800"])
def test_unstorable_text_is_refused(text: str) -> None:
    assert faults({"t": text, "a": text}).keys() == {"t", "a"}
    field = {"name": "a", "label": text, "type": "text", "placeholder": text}
    with pytest.raises(FormSchemaError) as caught:
        parse_form({"title": text, "description": text, "fields": [field]}, "f")
    assert caught.value.errors.keys() == {
        "title",
        "description",
        "fields[0].label",
        "fields[0].placeholder",
    }


def test_useless_members_are_checked_and_dropped() -> None:
    field = {"name": "a", "label": "a", "type": "text", "options": [], "min": 1}
    form = parse_form({"title": "t", "fields": [field]}, "f")
    assert form.payload()["fields"] == [{"name": "a", "label": "a", "type": "text"}]
    with pytest.raises(FormSchemaError):
        parse_form({"title": "t", "fields": [field | {"min": "1"}]}, "f")


def test_faults_are_said_in_another_language() -> None:
    with pytest.raises(FormValuesError) as caught:
        ONE_OF_EACH.clean({"t": "a" * 501})
    assert caught.value.errors == {"t": "最多 500 个字符，现在有 501 个，请缩短。"}
    said = caught.value.say(lambda _text: "At most %(limit)d, now %(length)d.")
    assert said == {"t": "At most 500, now 501."}
