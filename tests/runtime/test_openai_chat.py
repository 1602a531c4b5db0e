"""The adapter over real sockets: one answer, its connection, its end."""

import asyncio
import time
from typing import Any

import openai._models
import pytest

from apps.runtime.messages import (
    TextDelta,
)
from apps.runtime.openai_chat import Endpoint, Patience
from tests.runtime.wire import ASK, HELLO, QUICK, Write, chunk, stream_of, text_of, wire


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


async def test_no_sdk_object_is_made_per_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[type] = []
    make = openai._models.construct_type

    def counted(**fields: Any) -> object:
        made.append(fields["type_"])
        return make(**fields)

    monkeypatch.setattr("openai._models.construct_type", counted)
    monkeypatch.setattr("openai._models.BaseModel.__init__", lambda *_, **__: made.append(object))
    parts = [chunk({"content": "x"}) for _ in range(500)]
    async with wire(stream_of(*parts, *HELLO), patience=QUICK) as (_, model):
        assert await text_of(model) == "x" * 500 + "hello"
    assert made == []


def test_key_is_not_in_the_representation() -> None:
    assert "secret" not in repr(Endpoint(base_url="http://x", api_key="secret"))
