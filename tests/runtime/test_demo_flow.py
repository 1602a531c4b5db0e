"""The main job with the demo model: asked in words, by form, to the student that exists."""

import pytest

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

    def __init__(self) -> None:
        self.history: list[Message] = []
        self._new_id = numbered()

    async def say(self, text: str) -> tuple[list[ToolCall], str]:
        journal = MemoryJournal()
        loop = AgentLoop(
            spec=AgentSpec(model="demo", tools=TOOLS),
            model=DemoModel(agent="assistant", version="2", new_id=self._new_id, pace=0),
            toolbox=BodyToolbox(journal, render_form=_render, create_student=_create),
            journal=journal,
        )
        self.history.append(UserMessage(content=text))
        events = [event async for event in loop.run(self.history, StopSignal())]
        self.history += journal.messages()
        assert isinstance(events[-1], RunCompleted)
        assert (events[-1].status, events[-1].finish_reason) == ("completed", "stop")
        (message,) = [event for event in events if isinstance(event, MessageCompleted)]
        return [e.call for e in events if isinstance(e, ToolStarted)], message.content


async def _render(_: ToolCall) -> str:
    return FORM_RESULT


async def _create(call: ToolCall) -> str:
    return created(**call.arguments)


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
            "表单已准备好，请填写后提交。",
            "已新增学生：张三（电话 13800000000，性别 男）。",
        ),
        (
            "add a student please",
            "Create student",
            ["Name", "Phone", "Gender", "Student no"],
            IN_ENGLISH,
            "The form is ready; please fill it in and submit it.",
            "Created student: 张三 (phone 13800000000, gender male).",
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
