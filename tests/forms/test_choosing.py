"""A choice is a form of one field, asked for by a control tool."""

from typing import Any

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.forms.choosing import ChoiceTools
from apps.forms.schema import parse_form
from apps.tools.registry import BusinessError, catalogue
from apps.tools.testing import fake_context, fake_session, invoke_tool
from apps.tools.wiring import tool_specs

DAYS = {"question": "哪一天？", "options": ["周一", " 周二 "]}


def refusal(**changes: Any) -> str:
    with pytest.raises(BusinessError) as caught:
        ChoiceTools().user_choose({**DAYS, **changes}, fake_context())
    return str(caught.value)


@pytest.mark.req("TOOL-23", "FORM-2")
@pytest.mark.django_db(transaction=True)
def test_a_choice_becomes_a_form_of_one_field(alice: User) -> None:
    result = invoke_tool("user_choose", DAYS, Actor.of(alice))
    assert result.ok, result.error
    (effect,) = result.ui
    assert effect.kind == "form"
    assert effect.payload["title"] == "哪一天？"
    assert effect.payload["fields"] == [
        {
            "name": "choice",
            "label": "您的选择",
            "type": "select",
            "required": True,
            "options": [{"label": "周一", "value": "周一"}, {"label": "周二", "value": "周二"}],
        }
    ]


def test_the_choice_comes_back_as_a_sentence() -> None:
    (effect,) = ChoiceTools().user_choose(DAYS, fake_context()).ui
    form = parse_form(dict(effect.payload), "call0000001")
    values = form.clean({"choice": "周二"})
    assert form.summary(values) == "已提交「哪一天？」表单：您的选择=周二"


def test_a_long_question_becomes_the_description() -> None:
    (effect,) = ChoiceTools().user_choose({**DAYS, "question": "长" * 200}, fake_context()).ui
    assert effect.payload["title"] == "请选择"
    assert effect.payload["description"] == "长" * 200


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"question": " "}, "question"),
        ({"question": "长" * 201}, "最多 200"),
        ({"options": ["一"]}, "2 到 10 个选项，现在有 1 个"),
        ({"options": [str(number) for number in range(11)]}, "现在有 11 个"),
        ({"options": ["一", " "]}, "options[1]"),
        ({"options": ["一", "一 "]}, "options[1]: 与前面的选项重复"),
        ({"options": ["一", "长" * 101]}, "options[1]"),
    ],
)
def test_what_cannot_be_chosen_from_is_explained(changes: dict[str, Any], told: str) -> None:
    assert told in refusal(**changes)


@pytest.mark.req("TOOL-20")
@pytest.mark.django_db
@pytest.mark.parametrize(("surface", "shown"), [("chat", True), ("a2a", False), ("task", False)])
def test_it_is_offered_where_forms_can_be_shown(alice: User, surface: str, shown: bool) -> None:
    tool = catalogue.get("user_choose")
    assert tool is not None
    assert tool.control_tool
    session = fake_session(Actor.of(alice), tools=(tool,), surface=surface)
    assert bool(tool_specs(session)) is shown
