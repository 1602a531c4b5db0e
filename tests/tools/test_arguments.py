"""What the model writes, and what the method gets."""

import re
from typing import Any

import pytest
from django.utils import translation
from jsonschema import Draft202012Validator
from prometheus_client import REGISTRY

from apps.lib.ids import new_id
from apps.runtime.assembler import parse_arguments
from apps.runtime.messages import ToolCall
from apps.tools.arguments import ArgumentsError, fault_texts, read_arguments
from apps.tools.models import ToolRun
from apps.tools.outcome import Wording
from apps.tools.registry import catalogue
from apps.tools.wordings import wording
from tests.tools.conftest import Caller, call_of
from tests.tools.services import Note, ProbeTools


def read(tool: str, /, **arguments: Any) -> Any:
    found = catalogue.get(tool)
    assert found is not None
    return read_arguments(found, call_of(tool, **arguments), texts())


def texts() -> Wording:
    return wording()


@pytest.mark.req("TOOL-7")
def test_a_dataclass_input_is_an_instance() -> None:
    assert read("probe_read", text="a", count=2) == Note(text="a", count=2)
    assert read("probe_read", text="a") == Note(text="a")


@pytest.mark.req("TOOL-7")
def test_a_declared_schema_gives_the_dict() -> None:
    assert read("probe_nested", items=[1, 2]) == {"items": [1, 2]}


@pytest.mark.parametrize("blank", ["", "  ", None])
def test_a_blank_optional_is_not_given(blank: Any) -> None:
    assert read("probe_read", text="a", count=blank) == Note(text="a")


def test_a_whole_number_may_be_written_as_decimal() -> None:
    read_note = read("probe_read", text="a", count=2.0)
    assert (read_note.count, type(read_note.count)) == (2, int)


@pytest.mark.req("TOOL-7")
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ({}, "text: 缺少必填项"),
        ({"text": 3}, "text: 类型应为 string"),
        ({"text": "a", "count": "2"}, "count: 类型应为 integer"),
        ({"text": "a", "count": True}, "count: 类型应为 integer"),
        ({"text": "a", "count": 0}, "count: 不能小于 1"),
        ({"text": "a" * 201}, "text: 最多 200 个字符"),
        ({"text": "a", "colour": "red"}, "colour: 未知字段"),
        ({"text": None}, "text: 类型应为 string"),
    ],
)
def test_a_fault_names_its_field(arguments: dict[str, Any], told: str) -> None:
    with pytest.raises(ArgumentsError, match=told):
        read("probe_read", **arguments)


@pytest.mark.req("TOOL-7")
@pytest.mark.parametrize("locale", ["zh-hans", "en"])
@pytest.mark.parametrize(
    "raw",
    [
        '{"a":',
        '{"a": NaN}',
        '{"a": 1e999}',
        '{"a": %s}' % ("9" * 5000),
        '{"a":' + "[" * 100_000,
        "[1]",
        '"x"',
        "7",
        "true",
        "what nobody foresaw",
    ],
)
def test_unreadable_arguments_are_told_in_one_language(raw: str, locale: str) -> None:
    _, error = parse_arguments(raw)
    unread = ToolCall(id="c", name="probe_read", arguments={}, arguments_error=error or raw)
    tool = catalogue.get("probe_read")
    assert tool is not None
    with translation.override(locale), pytest.raises(ArgumentsError) as caught:
        read_arguments(tool, unread, texts())
    text = str(caught.value).replace("JSON", "").replace("NaN", "")
    assert not re.search("[a-z]" if locale == "zh-hans" else "[\u4e00-\u9fff]", text), text


@pytest.mark.parametrize("locale", ["zh-hans", "en"])
def test_rare_rules_are_told_in_one_language(locale: str) -> None:
    validator = Draft202012Validator({"maxItems": 1, "uniqueItems": True, "not": {"type": "array"}})
    with translation.override(locale):
        told = [
            part for fault in validator.iter_errors([1, 1]) for part in fault_texts(fault, texts())
        ]
    assert len(told) == 3
    words = re.sub("maxItems|uniqueItems|not", "", "".join(told)) if locale != "en" else ""
    assert not re.search("[a-z]", words)


def test_null_for_a_form_names_each_member_once() -> None:
    with pytest.raises(ArgumentsError) as caught:
        read("render_form")
    assert str(caught.value) == "参数有误，请改正后重试：title: 缺少必填项; fields: 缺少必填项"


def test_faults_inside_are_told_by_path() -> None:
    with pytest.raises(ArgumentsError, match=r"items\[1\]: 类型应为 integer"):
        read("probe_nested", items=[1, "2"])


@pytest.mark.case("TOOL-001")
@pytest.mark.django_db(transaction=True)
def test_a_tool_without_parameters_runs_on_nothing(call: Caller) -> None:
    assert call("probe_ping").ok
    assert len(ProbeTools.calls) == 1


@pytest.mark.case("TXT-003")
@pytest.mark.django_db(transaction=True)
def test_what_cannot_be_stored_is_replaced_at_once(call: Caller) -> None:
    assert call("probe_read", text="a\x00\ud83d").ok
    assert call.events[0].call.arguments == {"text": "a\ufffd\ufffd"}  # type: ignore[union-attr]
    assert ProbeTools.calls[0][0].text == "a\ufffd\ufffd"


@pytest.mark.django_db(transaction=True)
def test_endless_nesting_is_answered(call: Caller) -> None:
    deep: list[Any] = []
    for _ in range(500):
        deep = [deep]
    answer = call("probe_nested", items=deep)
    assert (answer.ok, ProbeTools.calls) == (False, [])
    assert answer.error == "参数嵌套过深，请改正后重试。"


@pytest.mark.req("TOOL-7")
@pytest.mark.django_db(transaction=True)
def test_unreadable_arguments_are_answered_and_counted(call: Caller) -> None:
    labels = {"tool": "probe_read"}
    name = "agent_tool_input_parse_error_total"
    before = REGISTRY.get_sample_value(name, labels) or 0
    broken = ToolCall(
        id=new_id(),
        name="probe_read",
        arguments={},
        arguments_error="not valid JSON at character 12",
    )
    answer = call.make(broken)
    assert (answer.ok, ProbeTools.calls) == (False, [])
    assert answer.error == "参数在第 12 个字符处不是有效的 JSON，请改正后重试。"
    assert REGISTRY.get_sample_value(name, labels) == before + 1
    assert ToolRun.objects.get().status == "failed"
