"""The tool checks what the model asks for, and answers in fixed words."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from apps.forms.models import FormInstance
from apps.forms.tools import FormTools
from apps.tools.registry import AgentContext, BusinessError, Trace, UiEffect, catalogue
from tests.forms.conftest import STUDENT_FORM
from tests.forms.corpus import expected_path, load

CONTEXT = AgentContext(
    user_id=1,
    organization_id=1,
    surface="chat",
    session_id="c",
    turn_id="r",
    trace=Trace(trace_id="0" * 32),
)


def refusal(asked: dict[str, Any]) -> str:
    with pytest.raises(BusinessError) as caught:
        FormTools().render_form(asked, CONTEXT)
    return str(caught.value)


@pytest.mark.req("FORM-2")
def test_a_good_form_becomes_an_effect() -> None:
    result = FormTools().render_form(STUDENT_FORM, CONTEXT)
    assert result.data == {"status": "success", "message": "表单已生成，等待用户填写提交"}
    assert result.ui == (UiEffect(kind="form", payload=STUDENT_FORM),)


@pytest.mark.req("FORM-2")
@pytest.mark.django_db
def test_rendering_writes_no_business_row() -> None:
    FormTools().render_form(STUDENT_FORM, CONTEXT)
    assert not FormInstance.objects.exists()


@pytest.mark.req("FORM-2")
def test_the_model_is_told_every_fault() -> None:
    said = refusal(
        {
            "title": "t" * 51,
            "fields": [
                {"name": "a b", "label": "x", "type": "text"},
                {"name": "c", "label": "x", "type": "select", "options": [{"label": 1}]},
            ],
        }
    )
    for path in ("title", "fields[0].name", "fields[1].options[0].label"):
        assert f"- {path}: " in said
    assert "- fields[1].options[0].value: 缺少此项，请补上。" in said


def test_the_tool_neither_writes_nor_destroys() -> None:
    tool = catalogue.get("render_form")
    assert tool is not None
    assert (tool.writes, tool.permission) == (False, "conversations.use_chat")
    assert tool.schema["required"] == ["title", "fields"]
    assert tool.schema["additionalProperties"] is False


@pytest.mark.parametrize(
    "case",
    [case for case in load("render_form") if expected_path(case, "path") is None],
    ids=lambda case: case["id"],
)
def test_the_declared_schema_lets_good_forms_pass(case: dict[str, Any]) -> None:
    tool = catalogue.get("render_form")
    assert tool is not None
    Draft202012Validator(tool.schema).validate(case["args"])
