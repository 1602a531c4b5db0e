"""The adapter over real sockets: what it asks again, and what each fault means."""

import asyncio
import time
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from typing import Any

import pytest

from apps.lib.retry_after import LONGEST
from apps.runtime import errors
from apps.runtime.events import ErrorRaised
from apps.runtime.messages import (
    ModelDelta,
    TextDelta,
    Usage,
)
from apps.runtime.openai_chat import Patience
from tests.runtime.support import Leg
from tests.runtime.wire import (
    ASK,
    DONE,
    HELLO,
    Write,
    chunk,
    openai_model,
    refuses,
    stream_of,
    text_of,
    wire,
)


@pytest.mark.req("AGENT-13")
@pytest.mark.parametrize("status", [408, 409, 429, 500, 503])
async def test_passing_refusal_is_asked_again(status: int) -> None:
    async with wire(refuses(status), refuses(status), stream_of(*HELLO)) as (server, model):
        assert await text_of(model) == "hello"
        assert len(server.requests) == 3


@pytest.mark.req("AGENT-13")
async def test_retry_after_is_waited_for() -> None:
    async with wire(refuses(429, headers="retry-after: 1\r\n"), stream_of(*HELLO)) as (_, model):
        started = time.monotonic()
        assert await text_of(model) == "hello"
        assert time.monotonic() - started >= 1


@pytest.mark.req("AGENT-13")
async def test_long_retry_after_goes_up_at_once() -> None:
    async with wire(refuses(429, headers="retry-after: 3600\r\n")) as (server, model):
        with pytest.raises(errors.ModelRateLimitError) as caught:
            await text_of(model)
        assert caught.value.retry_after == 3600
        assert len(server.requests) == 1


@pytest.mark.req("AGENT-13")
async def test_retry_after_may_be_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    monkeypatch.setattr("apps.lib.clock.now", lambda: now)
    soon = refuses(429, headers="retry-after: Mon, 30 Nov 2026 12:00:01 GMT\r\n")
    async with wire(soon, stream_of(*HELLO)) as (_, model):
        started = time.monotonic()
        assert await text_of(model) == "hello"
        assert time.monotonic() - started >= 1


@pytest.mark.req("AGENT-13")
@pytest.mark.parametrize("value", ["9" * 30, "Mon, 30 Nov 2099 12:00:00 GMT"])
async def test_absurd_retry_after_fails_the_run(value: str) -> None:
    async with wire(refuses(503, headers=f"retry-after: {value}\r\n")) as (server, model):
        run = Leg(model=model)
        assert (await run.run()).status == "failed"
        assert len(server.requests) == 1
    text = "The model service is not available now."
    assert run.events[-2] == ErrorRaised(
        code="model_unavailable", message=text, retryable=True, retry_after=LONGEST
    )


async def test_unreadable_retry_after_is_no_obstacle() -> None:
    odd = refuses(429, headers="retry-after: soon\r\n")
    async with wire(odd, stream_of(*HELLO)) as (_, model):
        assert await text_of(model) == "hello"


async def test_attempts_come_to_an_end() -> None:
    async with wire(*[refuses(503)] * 3) as (server, model):
        with pytest.raises(errors.ModelUnavailableError):
            await text_of(model)
        assert len(server.requests) == 3


@pytest.mark.parametrize(
    ("status", "body", "meaning"),
    [
        (400, {"message": "no such field"}, errors.ModelRequestError),
        (400, {"message": "x", "code": "context_length_exceeded"}, errors.ContextLengthError),
        (400, {"message": "maximum context length is 8192"}, errors.ContextLengthError),
        (401, {"message": "bad key"}, errors.ModelAuthenticationError),
        (403, {"message": "no right"}, errors.ModelAuthenticationError),
        (404, {"message": "no model"}, errors.ModelRequestError),
        (429, {"message": "x", "code": "insufficient_quota"}, errors.ModelRateLimitError),
    ],
)
async def test_lasting_refusal_is_asked_once(
    status: int, body: dict[str, Any], meaning: type[errors.RunError]
) -> None:
    async with wire(refuses(status, {"error": body})) as (server, model):
        with pytest.raises(meaning) as caught:
            await text_of(model)
        assert not caught.value.retryable
        assert len(server.requests) == 1


async def test_refused_connection_is_unreachable() -> None:
    async with openai_model("http://127.0.0.1:9/v1") as model:
        with pytest.raises(errors.ModelUnreachableError):
            await text_of(model)


async def test_hang_up_before_headers_is_unreachable() -> None:
    async def hang_up(write: Write) -> None:
        raise ConnectionError

    async with wire(*[hang_up] * 3) as (server, model):
        with pytest.raises(errors.ModelUnreachableError):
            await text_of(model)
        assert len(server.requests) == 3


@pytest.mark.req("AGENT-13")
@pytest.mark.parametrize("headers", [False, True])
async def test_silence_before_answer_is_met_once(headers: bool) -> None:
    async def silent(write: Write) -> None:
        if headers:
            await write(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")
        await asyncio.sleep(30)

    async with wire(*[silent] * 3, patience=Patience(silence=0.2)) as (server, model):
        with pytest.raises(errors.ModelTimeoutError) as caught:
            await text_of(model)
        assert caught.value.retryable  # by the person
        assert len(server.requests) == 1


@pytest.mark.req("AGENT-13")
async def test_silence_inside_answer_times_out() -> None:
    async with wire(stream_of(chunk({"content": "x"}), pause=30)) as (server, model):
        with pytest.raises(errors.ModelTimeoutError):
            await text_of(model)
        assert len(server.requests) == 1


async def test_shown_text_is_never_asked_again() -> None:
    async with wire(stream_of(chunk({"content": "half "}), cut=True)) as (server, model):
        answer = model.stream(ASK)
        assert await anext(answer) == TextDelta(text="half ")
        with pytest.raises(errors.BadAnswerError):
            await anext(answer)
        assert len(server.requests) == 1


async def test_unseen_broken_answer_is_asked_again() -> None:
    empty, cut = stream_of(DONE), stream_of(chunk({}), cut=True)
    async with wire(empty, cut, stream_of(*HELLO)) as (server, model):
        assert await text_of(model) == "hello"
        assert len(server.requests) == 3


@pytest.mark.case("STR-018")
async def test_usage_before_the_cut_is_known() -> None:
    first = chunk({"content": "a"}, usage={"prompt_tokens": 250})
    async with wire(stream_of(first, chunk({"content": "b"}), cut=True)) as (_, model):
        heard: list[ModelDelta] = []
        with pytest.raises(errors.BadAnswerError):
            await collect(model.stream(ASK), heard)
        assert Usage(prompt=250, completion=None) in heard


async def collect(answer: AsyncGenerator[ModelDelta, None], heard: list[ModelDelta]) -> None:
    async for delta in answer:
        heard.append(delta)
