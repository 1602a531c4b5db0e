"""The loop ends by itself: steps, calls, tokens, time, repetition."""

import asyncio

import pytest

from apps.runtime.messages import (
    ModelFinish,
    TextDelta,
    ToolCall,
    Usage,
)
from apps.runtime.scripted_model import ScriptedModel, call, calls, says
from apps.runtime.steps import Limits
from tests.runtime.support import answers, assert_history_is_whole, leg, ok


@pytest.mark.case("TOOL-010")
@pytest.mark.req("RUN-1")
async def test_same_call_same_answer_ends_run() -> None:
    with ScriptedModel(*[calls("nope", {"a": 1}) for _ in "123"]) as model:
        run = leg(model, f=ok)
        ended = await run.run()
    assert (ended.status, ended.finish_reason) == ("completed", "repeated")
    assert ended.detail == "nope: the same call had the same answer 3 times"


async def test_same_call_with_new_answer_goes_on() -> None:
    numbers = iter("12345")

    async def poll(_: ToolCall) -> str:
        return next(numbers)

    with ScriptedModel(*[calls("poll") for _ in "12345"], says("ready")) as model:
        assert (await leg(model, poll=poll).run()).finish_reason == "stop"


@pytest.mark.req("RUN-1")
async def test_number_of_steps_is_bounded() -> None:
    with ScriptedModel(*[calls("f", {"n": n}) for n in range(4)]) as model:
        ended = await leg(model, limits=Limits(iterations=4), f=ok).run()
    assert ended.finish_reason == "iterations"


@pytest.mark.parametrize("known", [Usage(prompt=90, completion=20), Usage()])
@pytest.mark.req("RUN-1")
async def test_tokens_are_bounded_known_or_not(known: Usage) -> None:
    long = (TextDelta(text="x" * 110), known, ModelFinish(reason="stop", calls=(call("f"),)))
    with ScriptedModel(long) as model:
        ended = await leg(model, limits=Limits(tokens=100), f=ok).run()
    assert ended.finish_reason == "tokens"


@pytest.mark.req("RUN-1")
async def test_calls_beyond_bound_are_answered_not_run() -> None:
    many = calls("f", {"n": 0}, *[call("f", {"n": n}) for n in range(1, 5)])
    with ScriptedModel(many, says("done")) as model:
        run = leg(model, limits=Limits(calls_per_step=2), f=ok)
        await run.run()
    assert [good for _, good, _ in answers(run)] == [True, True, False, False, False]
    assert_history_is_whole(run)


@pytest.mark.req("RUN-1")
async def test_wall_time_is_bounded_inside_tool() -> None:
    async def slow(_: ToolCall) -> str:
        await asyncio.sleep(30)
        return "late"

    with ScriptedModel(calls("slow", {}, call("slow", {"n": 2}))) as model:
        run = leg(model, limits=Limits(seconds=0.1), slow=slow)
        ended = await run.run()
    assert (ended.status, ended.finish_reason) == ("completed", "time")
    assert answers(run) == [("slow", False, "Not finished: out of time.")] * 2
