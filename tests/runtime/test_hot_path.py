"""What one more chunk of an answer costs: nothing that grows with the number of chunks."""

import logging
from typing import Any

import openai._models
import pytest

from apps.runtime.events import MessageDelta
from tests.runtime.support import Leg
from tests.runtime.wire import HELLO, QUICK, chunk, stream_of, text_of, wire

LONG = [chunk({"content": "x"}) for _ in range(500)]


async def test_no_sdk_object_is_made_per_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[type] = []
    make = openai._models.construct_type

    def counted(**fields: Any) -> object:
        made.append(fields["type_"])
        return make(**fields)

    monkeypatch.setattr("openai._models.construct_type", counted)
    monkeypatch.setattr("openai._models.BaseModel.__init__", lambda *_, **__: made.append(object))
    async with wire(stream_of(*LONG, *HELLO), patience=QUICK) as (_, model):
        assert await text_of(model) == "x" * 500 + "hello"
    assert made == []


async def test_no_line_is_logged_per_delta(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    lines = [await lines_of(caplog, chunks) for chunks in (LONG[:5], LONG)]
    assert lines[0] == lines[1]


async def lines_of(caplog: pytest.LogCaptureFixture, chunks: list[bytes]) -> int:
    caplog.clear()
    async with wire(stream_of(*chunks, *HELLO, pause=0.0)) as (_, model):
        run = Leg(model=model)
        await run.run()
    assert any(isinstance(event, MessageDelta) for event in run.events)
    return len(caplog.records)
