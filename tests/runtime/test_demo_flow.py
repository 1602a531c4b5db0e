"""The main job with the demo model: asked in words, by form, to the student that exists."""

from typing import Any

import pytest

from apps.lib.canonical import canonical_json
from apps.runtime.demo_model import DemoModel
from apps.runtime.events import MessageCompleted, RunCompleted, ToolStarted
from apps.runtime.loop import AgentLoop
from apps.runtime.messages import Message, ToolCall, UserMessage
from apps.runtime.steps import AgentSpec
from apps.runtime.stopping import StopSignal
from tests.runtime.demo_tools import FORM_RESULT, TOOLS, created
from tests.runtime.support import BodyToolbox, MemoryJournal
from tests.runtime.wire import numbered


class Conversation:
    """Runs one after the other over the same history, with two tools that only answer."""

    def __init__(self, answer: str = "") -> None:
        self._answer = answer
        self.history: list[Message] = []
        self._new_id = numbered()

    async def say(
        self, text: str, values: dict[str, Any] | None = None
    ) -> tuple[list[ToolCall], str]:
        journal = MemoryJournal()
        loop = AgentLoop(
            spec=AgentSpec(model="demo", tools=TOOLS),
            model=DemoModel(agent="assistant", version="2", new_id=self._new_id, pace=0),
            toolbox=BodyToolbox(journal, render_form=_render, create_student=self._create),
            journal=journal,
        )
        self.history.append(UserMessage(content=text, values=values))
        events = [event async for event in loop.run(self.history, StopSignal())]
        self.history += journal.messages()
        assert isinstance(events[-1], RunCompleted)
        assert (events[-1].status, events[-1].finish_reason) == ("completed", "stop")
        (message,) = [event for event in events if isinstance(event, MessageCompleted)]
        return [e.call for e in events if isinstance(e, ToolStarted)], message.content

    async def _create(self, call: ToolCall) -> str:
        return self._answer or created(**call.arguments)


async def _render(_: ToolCall) -> str:
    return FORM_RESULT


FILLED = "已提交「新增学生」表单：姓名=张三，电话=13800000000，性别=male，学号=未填写"
IN_ENGLISH = (
    "已提交「Create student」表单：Name=张三，Phone=13800000000，Gender=male，Student no=未填写"
)


@pytest.mark.parametrize(
    ("words", "title", "labels", "filled", "ready", "done"),
    [
        (
            "帮我新增一个学生",
            "新增学生",
            ["姓名", "电话", "性别", "学号"],
            FILLED,
            "需要的资料都在这张表单里。",
            "已新增学生：张三（电话 13800000000，性别 男）。",
        ),
        (
            "add a student please",
            "Create student",
            ["Name", "Phone", "Gender", "Student no"],
            IN_ENGLISH,
            "All I need to know is in this form.",
            "Created student: 张三 (phone 13800000000, gender Male).",
        ),
    ],
)
async def test_student_is_added_through_a_form(
    words: str, title: str, labels: list[str], filled: str, ready: str, done: str
) -> None:
    conversation = Conversation()
    calls, said = await conversation.say(words)
    assert ([call.name for call in calls], said) == (["render_form"], ready)
    form = calls[0].arguments
    assert (form["title"], [field["label"] for field in form["fields"]]) == (title, labels)
    calls, said = await conversation.say(filled)
    (create,) = calls
    assert create.name == "create_student"
    assert create.arguments == {"name": "张三", "phone": "13800000000", "gender": "male"}
    assert said == done
    again, _ = await conversation.say(words)
    assert [call.name for call in again] == ["render_form"]


TAKEN = canonical_json({"ok": False, "error": "studentNo: 该学号已存在"})
IN_USE = canonical_json({"ok": False, "error": "studentNo: This number exists already"})
NO_CLASS = canonical_json({"ok": False, "error": "classId: 班级不存在"})
FORBIDDEN = canonical_json({"ok": False, "error": "权限不足"})


@pytest.mark.req("FORM-10")
@pytest.mark.parametrize(
    ("words", "filled", "error", "said"),
    [
        (
            "帮我新增一个学生",
            FILLED,
            TAKEN,
            "新增学生：学号: 该学号已存在。\n\n请改正标出的内容，然后重新提交。",
        ),
        (
            "add a student please",
            IN_ENGLISH,
            IN_USE,
            "Create student: student no: This number exists already."
            "\n\nPlease correct what is marked.",
        ),
    ],
)
async def test_a_refused_field_brings_the_form_again(
    words: str, filled: str, error: str, said: str
) -> None:
    conversation = Conversation(answer=error)
    (first,), _ = await conversation.say(words)
    (create, again), told = await conversation.say(filled)
    assert (create.name, again.name) == ("create_student", "render_form")
    assert again.arguments == first.arguments
    assert told == said


@pytest.mark.parametrize(
    ("words", "error", "said"),
    [
        ("Add a student named Otto, classId=99999", TAKEN, "新增学生：学号: 该学号已存在。"),
        ("新增学生，姓名=张三", IN_USE, "Create student: student no: This number exists already."),
    ],
)
async def test_an_answer_is_in_one_language(words: str, error: str, said: str) -> None:
    _, told = await Conversation(answer=error).say(words)
    assert told.startswith(said)
    chinese = "请改正" in told
    assert chinese == (error == TAKEN)
    assert ("Please" in told) != chinese


async def test_a_refusal_that_no_form_can_mend_brings_none() -> None:
    conversation = Conversation(answer=FORBIDDEN)
    await conversation.say("帮我新增一个学生")
    calls, told = await conversation.say(FILLED)
    assert [call.name for call in calls] == ["create_student"]
    assert told == "新增学生：权限不足。"


@pytest.mark.req("FORM-10")
async def test_what_was_said_without_a_form_brings_one_that_asks_for_it() -> None:
    conversation = Conversation(answer=NO_CLASS)
    (create, form), _ = await conversation.say("Add a student named Otto, classId=99999")
    assert create.arguments == {"name": "Otto", "classId": 99999}
    assert form.name == "render_form"
    asked = [(field["name"], field["type"]) for field in form.arguments["fields"]]
    assert ("name", "text") in asked
    assert ("classId", "number") in asked


@pytest.mark.req("FORM-10")
async def test_a_value_stays_in_its_field() -> None:
    conversation = Conversation()
    await conversation.say("add a student please")
    values = {"name": "Ann，Phone=13911112222", "gender": "male"}
    text = f"已提交「Create student」表单：Name={values['name']}，Phone=未填写，Gender=male"
    (create,), _ = await conversation.say(text, values)
    assert create.arguments == values
