"""The adapter over real sockets: one answer, its connection, its end."""

import asyncio
import time

import pytest

from apps.runtime.messages import (
    TextDelta,
)
from apps.runtime.openai_chat import Endpoint, Patience
from tests.runtime.support import BodyToolbox, Leg, MemoryJournal, ok, spec
from tests.runtime.wire import ASK, DONE, HELLO, Write, chunk, stream_of, text_of, wire


async def test_answers_share_one_connection() -> None:
    slow_end = stream_of(*HELLO, pause=0.02)
    async with wire(slow_end, stream_of(*HELLO)) as (server, model):
        assert [await text_of(model), await text_of(model)] == ["hello", "hello"]
        assert server.connections == 1


async def test_server_that_never_ends_is_left() -> None:
    async def after_done(write: Write) -> None:
        await write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        for part in HELLO:
            await write(b"%x\r\n%s\r\n" % (len(part), part))
        await asyncio.sleep(30)

    async with wire(after_done) as (server, model):
        assert await text_of(model) == "hello"
        await asyncio.wait_for(server.hung_up.wait(), 1)


@pytest.mark.case("STR-005")
async def test_closing_the_answer_closes_upstream() -> None:
    parts = [chunk({"content": f"{number} "}) for number in range(300)]
    async with wire(stream_of(*parts, pause=0.1)) as (server, model):
        answer = model.stream(ASK)
        said = [await anext(answer) for _ in range(5)]
        started = time.monotonic()
        await answer.aclose()
        await asyncio.wait_for(server.hung_up.wait(), 1)
        assert time.monotonic() - started < 1
        assert said == [TextDelta(text=f"{number} ") for number in range(5)]


@pytest.mark.parametrize("started", [True, False], ids=["in the answer", "before headers"])
async def test_cancelled_task_closes_upstream(started: bool) -> None:
    async def silent(write: Write) -> None:
        await asyncio.sleep(30)

    script = stream_of(chunk({"content": "x"}), pause=30) if started else silent
    async with wire(script, patience=Patience()) as (server, model):
        task = asyncio.ensure_future(text_of(model))
        await asyncio.sleep(0.2)
        task.cancel()
        await asyncio.wait_for(server.hung_up.wait(), 1)
        with pytest.raises(asyncio.CancelledError):
            await task


def test_key_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Endpoint(base_url="http://x", api_key="secret"))


@pytest.mark.req("RUN-1")
async def test_ids_that_a_vendor_repeats_become_ours() -> None:
    same = [{"index": n, "id": "call_0", "function": {"name": "f"}} for n in (0, 1)]
    asks = stream_of(chunk({"tool_calls": same}), chunk({}, "tool_calls"), DONE)
    async with wire(asks, asks, stream_of(*HELLO)) as (server, model):
        journal = MemoryJournal()
        toolbox = BodyToolbox(journal, f=ok)
        run = Leg(model=model, journal=journal, toolbox=toolbox, spec=spec("f"))
        assert (await run.run()).status == "completed"
    told = server.requests[2]["messages"]
    asked = [call["id"] for message in told for call in message.get("tool_calls", ())]
    answered = [message["tool_call_id"] for message in told if message["role"] == "tool"]
    assert len({*asked}) == 4
    assert asked == answered
    assert "call_0" not in str(told)


@pytest.mark.case("TOOL-001")
@pytest.mark.parametrize("raw", ["", "  ", None, "{}"])
async def test_call_without_arguments_runs_once(raw: str | None) -> None:
    piece = {"index": 0, "id": "a", "function": {"name": "f", "arguments": raw}}
    asks = stream_of(chunk({"tool_calls": [piece]}), chunk({}, "tool_calls"), DONE)
    async with wire(asks, stream_of(*HELLO)) as (_, model):
        journal = MemoryJournal()
        toolbox = BodyToolbox(journal, f=ok)
        await Leg(model=model, journal=journal, toolbox=toolbox, spec=spec("f")).run()
    assert [call.arguments for call in toolbox.ran] == [{}]
