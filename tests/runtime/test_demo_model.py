"""The demo model's rules, in both languages, through the loop where it matters."""

from typing import Any

import pytest

from apps.runtime.demo_model import DemoModel
from apps.runtime.errors import RunError
from apps.runtime.events import MessageCompleted, ReasoningDelta, ToolStarted
from apps.runtime.messages import ModelFinish, ModelRequest, TextDelta, ToolSpec, UserMessage
from apps.runtime.steps import AgentSpec
from tests.runtime.support import BodyToolbox, Leg, MemoryJournal, ok
from tests.runtime.wire import numbered

CREATE = ToolSpec(
    name="create_student",
    description="新增学生。仅在用户通过表单或消息明确提交了新增学生资料后调用。",
    parameters={
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "姓名"},
            "gender": {"type": "string", "description": "性别", "enum": ["男", "女"]},
            "classId": {"type": "integer", "description": "班级"},
        },
        "required": ["name"],
    },
)
WEATHER = ToolSpec(
    name="get_weather",
    description="Weather forecast of a city.",
    parameters={
        "properties": {"city": {"type": "string"}, "days": {"type": "integer"}},
        "required": ["city", "days"],
    },
)
FORM = ToolSpec(name="render_form", description="新增学生时渲染表单 weather", parameters={})
TOOLS = (CREATE, WEATHER, FORM)


def demo() -> DemoModel:
    return DemoModel(agent="assistant", version="2", new_id=numbered(), pace=0)


async def asked(text: str, tools: tuple[ToolSpec, ...] = TOOLS) -> tuple[str, list[Any]]:
    request = ModelRequest(model="demo", messages=(UserMessage(content=text),), tools=tools)
    deltas = [delta async for delta in demo().stream(request)]
    assert isinstance(deltas[-1], ModelFinish)
    said = "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))
    return said, [(call.name, call.arguments) for call in deltas[-1].calls]


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("帮我新增学生“张伟”，女", ("create_student", {"name": "张伟", "gender": "女"})),
        ("please create a student named Ann", ("create_student", {"name": "Ann"})),
        ('weather in the city "Rome" for 3 days', ("get_weather", {"city": "Rome", "days": 3})),
        (
            "已提交「新增学生」表单：姓名=李雷，性别=男，班级=未填写",
            ("create_student", {"name": "李雷", "gender": "男"}),
        ),
        (
            "已提交「新增学生」表单：姓名=李雷，性别=未填写，班级=3",
            ("create_student", {"name": "李雷", "classId": 3}),
        ),
    ],
)
async def test_words_name_tool_and_arguments(text: str, call: tuple[str, Any]) -> None:
    assert await asked(text) == ("", [call])


async def test_missing_argument_asks_by_form() -> None:
    _, [(name, form)] = await asked("帮我新增一个学生")
    assert (name, form["title"]) == ("render_form", "新增学生")
    assert form["fields"][0] == {"name": "name", "label": "姓名", "type": "text", "required": True}
    kinds = [field["type"] for field in form["fields"]]
    assert kinds == ["text", "select", "number"]
    assert form["fields"][1]["options"][0] == {"label": "男", "value": "男"}


async def test_without_form_tool_call_goes_out() -> None:
    assert await asked("帮我新增一个学生", (CREATE,)) == ("", [("create_student", {})])


async def test_form_tool_is_never_called_by_words() -> None:
    assert (await asked("新增学生时渲染表单", (FORM,)))[1] == []


@pytest.mark.parametrize("text", ["hello", "你好", "", "😀"])
async def test_small_talk_names_agent_and_version(text: str) -> None:
    said, calls = await asked(text)
    assert calls == []
    assert "assistant" in said
    assert "2" in said


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("新增学生“张伟”", "工具 create_student 的结果：“create_student ok”。"),
        ("create student 'Ann'", "The tool create_student says: “create_student ok”."),
    ],
)
async def test_tool_result_is_quoted_in_one_sentence(text: str, answer: str) -> None:
    journal = MemoryJournal()
    leg = Leg(
        model=demo(),
        journal=journal,
        toolbox=BodyToolbox(journal, create_student=ok),
        spec=AgentSpec(model="demo", tools=TOOLS),
    )
    await leg.run(text)
    assert [event.call.name for event in leg.events if isinstance(event, ToolStarted)]
    assert isinstance(leg.events[-2], MessageCompleted)
    assert leg.events[-2].content == answer


async def test_two_makes_two_calls() -> None:
    _, calls = await asked("/two 新增学生“张伟”")
    assert calls == [("create_student", {"name": "张伟"})] * 2


async def test_think_shows_reasoning_first() -> None:
    leg = Leg(model=demo())
    await leg.run("/think hello")
    assert isinstance(leg.events[0], ReasoningDelta)


@pytest.mark.parametrize(
    ("text", "code"), [("/error 429", "model_rate_limited"), ("/error", "model_unavailable")]
)
async def test_error_word_raises_its_error(text: str, code: str) -> None:
    with pytest.raises(RunError) as caught:
        await asked(text)
    assert caught.value.code == code


async def test_same_words_give_same_answer() -> None:
    assert await asked("新增学生“张伟”") == await asked("新增学生“张伟”")
