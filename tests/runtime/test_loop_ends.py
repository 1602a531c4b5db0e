"""Stop and cancel: one end, nothing lost, nothing unanswered."""

import asyncio
import time

import pytest

from apps.runtime.events import (
    MessageCompleted,
    RunCompleted,
)
from apps.runtime.loop import AgentLoop
from apps.runtime.messages import (
    ModelRequest,
    ToolAnswer,
    ToolCall,
    Usage,
)
from apps.runtime.openai_request import Dialect, request_body
from apps.runtime.scripted_model import ScriptedModel, call, calls, says
from apps.runtime.steps import Place
from tests.runtime.support import BodyToolbox, Leg, answers, asks, assert_history_is_whole, leg, ok
from tests.runtime.wire import chunk, stream_of, wire


@pytest.mark.case("STR-006")
@pytest.mark.case("TOOL-014")
async def test_stop_in_tool_starts_nothing_more() -> None:
    async def blocks(_: ToolCall) -> str:
        run.stop.request()
        await asyncio.sleep(30)
        return "late"

    first = calls("f", {}, call("blocks"), call("counter"))
    with ScriptedModel(first) as model:
        run = leg(model, f=ok, blocks=blocks, counter=ok)
        ended = await run.run()
    cancelled = "Not finished: cancelled by the user."
    told = [("f", True, "f ok"), ("blocks", False, cancelled), ("counter", False, cancelled)]
    assert (ended.status, answers(run)) == ("cancelled", told)
    assert run.names().count("run.completed") == 1
    assert_history_is_whole(run)


@pytest.mark.case("TOOL-014")
async def test_answer_that_won_the_race_stands() -> None:
    async def commits(call: ToolCall) -> str:
        await run.journal.settle(call, Place(0, 0), ToolAnswer(ok=True, content="written"))
        run.stop.request()
        await asyncio.sleep(30)
        return "late"

    with ScriptedModel(calls("f")) as model:
        run = leg(model, f=commits)
        assert (await run.run()).status == "cancelled"
    assert answers(run) == [("f", True, "written")]


@pytest.mark.case("TOOL-014")
async def test_next_request_answers_what_was_cancelled() -> None:
    async def blocks(_: ToolCall) -> str:
        run.stop.request()
        await asyncio.sleep(30)
        return "late"

    with ScriptedModel(calls("f", {}, call("blocks"))) as model:
        run = leg(model, f=ok, blocks=blocks)
        await run.run()
    history = (*asks("go"), *run.journal.messages(), *asks("continue"))
    body = request_body(ModelRequest(model="m", messages=history), Dialect())
    _, assistant, first, second, _ = body["messages"]
    wanted = [call["id"] for call in assistant["tool_calls"]]
    assert [first["tool_call_id"], second["tool_call_id"]] == wanted
    assert second["content"] == "Not finished: cancelled by the user."


@pytest.mark.case("STR-005")
@pytest.mark.case("STR-018")
async def test_stop_while_model_speaks_keeps_text() -> None:
    parts = [chunk({"content": f"{n} "}, usage={"prompt_tokens": 250}) for n in range(300)]
    async with wire(stream_of(*parts, pause=0.1)) as (server, model):
        run = Leg(model=model)
        loop = AgentLoop(
            spec=run.spec, model=model, toolbox=BodyToolbox(run.journal), journal=run.journal
        )
        started = 0.0
        async for event in loop.run([], run.stop):
            run.events.append(event)
            if len(run.events) == 5:
                started = time.monotonic()
                run.stop.request()
        await asyncio.wait_for(server.hung_up.wait(), 1)
        assert time.monotonic() - started < 1
    expected = MessageCompleted(content="0 1 2 3 4 ", usage=Usage(prompt=250, completion=None))
    assert run.events[5:] == [expected, RunCompleted(status="cancelled", usage=expected.usage)]


async def test_outer_cancel_leaves_record_for_recovery() -> None:
    async def blocks(_: ToolCall) -> str:
        await asyncio.sleep(30)
        return "late"

    with ScriptedModel(calls("blocks")) as model:
        run = leg(model, blocks=blocks)
        task = asyncio.ensure_future(run.run())
        await asyncio.sleep(0.05)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert run.journal.answers == {}
    assert "run.completed" not in run.names()


async def test_stop_never_hits_the_consumer() -> None:
    with ScriptedModel(says("a b c")) as model:
        run = leg(model)
        loop = AgentLoop(
            spec=run.spec, model=model, toolbox=BodyToolbox(run.journal), journal=run.journal
        )
        async for event in loop.run([], run.stop):
            run.stop.request()
            await asyncio.sleep(0.01)
            run.events.append(event)
    assert run.names() == ["message.delta", "message.completed", "run.completed"]
