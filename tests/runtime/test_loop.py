"""The loop with a scripted model: order, observations, interrupts."""

from collections.abc import AsyncGenerator

import pytest

from apps.runtime.events import (
    InterruptCreated,
    MessageCompleted,
    MessageDelta,
    ToolEvent,
)
from apps.runtime.messages import (
    AssistantMessage,
    ModelFinish,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    Usage,
)
from apps.runtime.openai_request import Dialect, request_body
from apps.runtime.scripted_model import ScriptedModel, call, calls, says
from apps.runtime.steps import Place
from tests.runtime.support import (
    BodyToolbox,
    Leg,
    MemoryJournal,
    answers,
    assert_history_is_whole,
    leg,
    ok,
    spec,
)


@pytest.mark.case("STR-002")
@pytest.mark.case("STR-023")
async def test_text_and_calls_keep_their_order() -> None:
    first = (TextDelta(text="A"), *calls("f"))
    with ScriptedModel(first, (TextDelta(text="B"), *calls("f")), says("C")) as model:
        run = leg(model, f=ok)
        await run.run()
    one = ["message.delta", "tool.started", "tool.completed"]
    assert run.names() == [*one, *one, "message.delta", "message.completed", "run.completed"]
    said = "".join(event.delta for event in run.events if isinstance(event, MessageDelta))
    assert run.events[-2] == MessageCompleted(content=said, usage=Usage(prompt=30, completion=11))
    assert said == "A\n\nB\n\nC"


@pytest.mark.case("STR-021")
async def test_reasoning_returns_but_is_not_shown() -> None:
    thinking = (ReasoningDelta(text="R1"), *calls("f"))
    with ScriptedModel(thinking, says("done")) as model:
        run = leg(model, f=ok)
        await run.run()
    told = model.requests[1].messages[1]
    assert isinstance(told, AssistantMessage)
    assert told.reasoning == "R1"
    assert isinstance(run.events[-2], MessageCompleted)
    assert run.events[-2].content == "done"


@pytest.mark.case("TOOL-010")
@pytest.mark.req("RUN-1")
async def test_unknown_tool_is_told_what_exists() -> None:
    with ScriptedModel(calls("get_wether", {"city": "X"}), says("sorry")) as model:
        run = leg(model, get_weather=ok)
        ended = await run.run()
    expected = "There is no tool 'get_wether'. Available: get_weather."
    assert answers(run) == [("get_wether", False, expected)]
    assert (ended.status, ended.finish_reason) == ("completed", "stop")


@pytest.mark.req("RUN-1")
async def test_broken_arguments_are_told_and_not_run() -> None:
    broken = (ModelFinish(reason="stop", calls=(call("f", error="not valid JSON"),)),)
    with ScriptedModel(broken, says("mended")) as model:
        run = leg(model, f=ok)
        await run.run()
    assert answers(run) == [("f", False, "not valid JSON")]
    assert isinstance(run.toolbox, BodyToolbox)
    assert run.toolbox.ran == []


class AskingToolbox(BodyToolbox):
    """Wants a person before any `write` until `approved`."""

    approved = False

    async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        if call.name == "write" and not self.approved:
            yield InterruptCreated(call=call, interrupt={"id": "i1"})
            return
        async for event in super().call(call, place):
            yield event


async def test_interrupted_run_goes_on_where_it_was() -> None:
    with ScriptedModel(calls("write", {}, call("read")), says("done")) as model:
        journal = MemoryJournal()
        toolbox = AskingToolbox(journal, write=ok, read=ok)
        agent = spec("write", "read")
        first = Leg(model=model, journal=journal, toolbox=toolbox, spec=agent)
        assert (await first.run()).status == "interrupted"
        toolbox.approved = True
        second = Leg(model=model, journal=journal, toolbox=toolbox, spec=agent)
        assert (await second.run()).status == "completed"
    assert [call.name for call in toolbox.ran] == ["read", "write"]
    assert "message.completed" not in first.names()
    assert_history_is_whole(second)


async def test_silent_toolbox_fails_instead_of_spinning() -> None:
    class Silent(BodyToolbox):
        async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
            return
            yield

    with ScriptedModel(calls("f")) as model:
        run = leg(model, f=ok)
        run.toolbox = Silent(run.journal)
        assert (await run.run()).status == "failed"


@pytest.mark.case("TOOL-002")
async def test_stored_broken_call_continues() -> None:
    journal = MemoryJournal()
    broken = (ModelFinish(reason="stop", calls=(call("f", error="cut off"), call("f"))),)
    with ScriptedModel(broken, says("a")) as model:
        await Leg(
            model=model, journal=journal, toolbox=BodyToolbox(journal, f=ok), spec=spec("f")
        ).run()
    body = request_body(model.requests[1], Dialect())
    sent = [call["function"]["arguments"] for call in body["messages"][1]["tool_calls"]]
    assert sent == ["{}", "{}"]
