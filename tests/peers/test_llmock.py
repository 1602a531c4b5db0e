"""The adapter and the loop against llmock, a server that also grades its clients."""

import json
import urllib.request
from typing import Any

import pytest

from apps.runtime import errors
from apps.runtime.events import MessageCompleted, ToolCompleted, ToolStarted
from apps.runtime.loop import AgentLoop
from apps.runtime.messages import (
    Message,
    ModelFinish,
    ModelRequest,
    TextDelta,
    ToolSpec,
    UserMessage,
)
from apps.runtime.openai_chat import Patience
from apps.runtime.steps import AgentSpec
from apps.runtime.stopping import StopSignal
from tests.runtime.demo_tools import TOOLS
from tests.runtime.support import BodyToolbox, Leg, MemoryJournal, ok
from tests.runtime.wire import openai_model

PATIENT = Patience(backoff=0.2, silence=5)
CITY = {"type": "object", "properties": {"city": {"type": "string"}}, "required": ["city"]}
WEATHER = ToolSpec(name="get_weather", description="weather of a city", parameters=CITY)


@pytest.fixture
def mock(llmock_url: str) -> str:
    control(llmock_url, "reset", {})
    return llmock_url


def control(url: str, path: str, body: Any = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"content-type": "application/json"}
    request = urllib.request.Request(f"{url}/_llmock/{path}", data=data, headers=headers)  # noqa: S310
    with urllib.request.urlopen(request, timeout=5) as answer:  # noqa: S310
        return json.loads(answer.read() or b"null")


async def ask(url: str, *behaviors: dict[str, Any], patience: Patience = PATIENT) -> str:
    control(url, "scenario", {"behaviors": list(behaviors)})
    request = ModelRequest(model="gpt-4o", messages=(UserMessage(content="hello"),))
    async with openai_model(f"{url}/v1", patience=patience) as model:
        deltas = [delta async for delta in model.stream(request)]
    assert isinstance(deltas[-1], ModelFinish)
    return "".join(delta.text for delta in deltas if isinstance(delta, TextDelta))


REPLY = {"type": "reply", "text": "one two three four five six"}


async def test_scripted_text_arrives_whole(mock: str) -> None:
    assert await ask(mock, REPLY) == REPLY["text"]


async def test_retry_after_is_obeyed_by_verdict(mock: str) -> None:
    fail = {"type": "fail", "status": 429, "retry_after": 1, "times": 2}
    assert await ask(mock, fail, REPLY) == REPLY["text"]
    verdict = control(mock, "verdict")
    assert len(control(mock, "requests")["requests"]) == 3
    assert verdict["passed"], verdict


@pytest.mark.parametrize("kind", ["disconnect", "truncate", "malformed"])
async def test_broken_stream_is_never_an_answer(mock: str, kind: str) -> None:
    fault = {"type": "stream_fault", "kind": kind, "after_chunks": 3}
    with pytest.raises(errors.BadAnswerError):
        await ask(mock, fault, REPLY, patience=Patience(attempts=1))


async def test_stalled_stream_times_out(mock: str) -> None:
    fault = {"type": "stream_fault", "kind": "stall", "after_chunks": 2, "stall_seconds": 2}
    with pytest.raises(errors.ModelTimeoutError):
        await ask(mock, fault, REPLY, patience=Patience(silence=0.5))


async def run(url: str, *behaviors: dict[str, Any]) -> Leg:
    if behaviors:
        control(url, "scenario", {"behaviors": list(behaviors)})
    journal = MemoryJournal()
    async with openai_model(f"{url}/v1", patience=PATIENT) as model:
        leg = Leg(
            model=model,
            journal=journal,
            toolbox=BodyToolbox(journal, get_weather=ok),
            spec=AgentSpec(model="gpt-4o", tools=(WEATHER,)),
        )
        assert (await leg.run("weather in Paris")).status == "completed"
    return leg


def answered(leg: Leg) -> list[tuple[str, bool]]:
    done = [event for event in leg.events if isinstance(event, ToolCompleted)]
    return [(event.call.name, event.answer.ok) for event in done]


async def test_call_and_answer_make_a_turn(mock: str) -> None:
    leg = await run(mock)
    assert answered(leg) == [("get_weather", True)]
    assert isinstance(leg.events[-2], MessageCompleted)
    assert leg.events[-2].content
    assert leg.events[-2].usage.prompt


@pytest.mark.case("TOOL-010")
@pytest.mark.parametrize("kind", ["unknown_tool", "malformed_arguments"])
async def test_broken_call_is_observed_and_survived(mock: str, kind: str) -> None:
    leg = await run(mock, {"type": "tool_fault", "kind": kind})
    assert answered(leg)[0][1] is False


def wants(name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    return {"type": "reply", "tool_calls": [{"name": name, "arguments": arguments}]}


async def test_main_job_through_the_official_client(mock: str) -> None:
    title, fields = "新增学生", [{"name": "name", "label": "姓名", "type": "text"}]
    filled = "已提交「新增学生」表单：姓名=张三"
    control(
        mock,
        "scenario",
        {
            "behaviors": [
                wants("render_form", {"title": title, "fields": fields}),
                {"type": "reply", "text": "请填写表单。"},
                wants("create_student", {"name": "张三"}),
                {"type": "reply", "text": "已新增学生：张三。"},
            ]
        },
    )
    history: list[Message] = []
    async with openai_model(f"{mock}/v1", patience=PATIENT) as model:
        for words, call, said in (
            ("帮我新增一个学生", {"title": title, "fields": fields}, "请填写表单。"),
            (filled, {"name": "张三"}, "已新增学生：张三。"),
        ):
            journal = MemoryJournal()
            loop = AgentLoop(
                spec=AgentSpec(model="gpt-4o", tools=TOOLS),
                model=model,
                toolbox=BodyToolbox(journal, render_form=ok, create_student=ok),
                journal=journal,
            )
            history.append(UserMessage(content=words))
            events = [event async for event in loop.run(history, StopSignal())]
            history += journal.messages()
            assert [e.call.arguments for e in events if isinstance(e, ToolStarted)] == [call]
            assert [e.content for e in events if isinstance(e, MessageCompleted)] == [said]
    verdict = control(mock, "verdict")
    assert verdict["passed"], verdict
