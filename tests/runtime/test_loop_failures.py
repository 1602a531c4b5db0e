"""A run that fails: it says why, keeps what was said, and answers every call."""

import pytest

from apps.runtime.errors import ModelUnreachableError, RunError, ToolboxError
from apps.runtime.events import (
    ErrorRaised,
)
from apps.runtime.messages import (
    TextDelta,
    ToolCall,
    Usage,
)
from apps.runtime.scripted_model import ScriptedModel, call, calls, says
from tests.runtime.support import Leg, answers, assert_history_is_whole, leg, ok
from tests.runtime.wire import DONE, chunk, stream_of, wire


@pytest.mark.case("STR-018")
async def test_nothing_heard_is_unknown_not_zero() -> None:
    with ScriptedModel([ModelUnreachableError("x")]) as model:
        assert (await leg(model).run()).usage == Usage(prompt=None, completion=None)


@pytest.mark.case("STR-022")
@pytest.mark.case("STR-025")
@pytest.mark.case("STR-026")
async def test_model_failure_keeps_text_and_says_why() -> None:
    with ScriptedModel([TextDelta(text="Par"), ModelUnreachableError("http://inner:1")]) as model:
        run = leg(model)
        ended = await run.run()
    assert run.names() == ["message.delta", "message.completed", "error", "run.completed"]
    text = "The model service cannot be reached."
    error = ErrorRaised(code="model_unreachable", message=text, retryable=False)
    assert (ended.status, run.events[2]) == ("failed", error)


@pytest.mark.case("STR-025")
@pytest.mark.parametrize("kind", RunError.__subclasses__())
async def test_every_error_has_code_and_text(kind: type[RunError]) -> None:
    with ScriptedModel([kind("Traceback: secret")]) as model:
        run = leg(model)
        await run.run()
    error = run.events[1]
    assert isinstance(error, ErrorRaised)
    assert error.code != RunError.code
    assert error.message
    assert "Traceback" not in error.message


async def test_answer_without_end_fails_the_run() -> None:
    with ScriptedModel([TextDelta(text="half")]) as model:
        run = leg(model)
        assert (await run.run()).status == "failed"
    assert run.journal.steps == []


async def test_failing_toolbox_answers_every_call() -> None:
    async def fails(_: ToolCall) -> str:
        raise ToolboxError("tier 3")

    with ScriptedModel(calls("f", {}, call("fails"), call("f", {"n": 2}))) as model:
        run = leg(model, f=ok, fails=fails)
        assert (await run.run()).status == "failed"
    assert [good for _, good, _ in answers(run)] == [True, False, False]
    assert_history_is_whole(run)


@pytest.mark.parametrize("finish", ["stop", "tool_calls"])
@pytest.mark.parametrize("said", [{}, {"content": ""}, {"content": " \n"}, {"reasoning": "Hm"}])
async def test_answer_of_nothing_is_a_failure(finish: str, said: dict[str, str]) -> None:
    async with wire(stream_of(chunk(said), chunk({}, finish), DONE)) as (server, model):
        run = Leg(model=model)
        assert (await run.run()).status == "failed"
        assert len(server.requests) == 1
    error = run.events[-2]
    assert isinstance(error, ErrorRaised)
    assert (error.code, error.retryable) == ("model_bad_answer", True)
    assert run.journal.steps == []


@pytest.mark.parametrize("finish", ["length", "content_filter"])
async def test_nothing_that_has_a_reason_is_an_answer(finish: str) -> None:
    async with wire(stream_of(chunk({}, finish), DONE)) as (_, model):
        assert (await Leg(model=model).run()).status == "completed"


async def test_nothing_to_add_to_a_call_is_an_answer() -> None:
    with ScriptedModel(calls("f"), says("")) as model:
        ended = await leg(model, f=ok).run()
    assert (ended.status, ended.finish_reason) == ("completed", "stop")
