"""Every call of a step goes to the toolbox, with its place, and gets exactly one answer."""

from collections.abc import AsyncGenerator

import pytest

from apps.runtime.errors import ToolboxError
from apps.runtime.events import (
    ErrorRaised,
    RunCompleted,
    ToolCompleted,
    ToolEvent,
    ToolStarted,
    UiForm,
)
from apps.runtime.messages import ModelFinish, ToolAnswer, ToolCall
from apps.runtime.scripted_model import ScriptedModel, call, calls, says
from apps.runtime.steps import Limits, Place
from tests.runtime.support import BodyToolbox, Leg, answers, assert_history_is_whole, leg, ok


def started_and_completed(run: Leg) -> list[str]:
    pairs = [(e.name, e.call.id) for e in run.events if isinstance(e, ToolStarted | ToolCompleted)]
    assert [name for name, _ in pairs] == ["tool.started", "tool.completed"] * (len(pairs) // 2)
    assert [id_ for _, id_ in pairs[::2]] == [id_ for _, id_ in pairs[1::2]]
    return [id_ for _, id_ in pairs[::2]]


@pytest.mark.req("RUN-1")
async def test_place_is_step_and_index() -> None:
    first = calls("f", {"n": 0}, call("f", {"n": 1}))
    with ScriptedModel(first, calls("f", {"n": 2}), says("done")) as model:
        run = leg(model, f=ok)
        await run.run()
    assert [*run.journal.places.values()] == [Place(0, 0), Place(0, 1), Place(1, 0)]


@pytest.mark.case("TOOL-010")
async def test_toolbox_hears_what_it_cannot_run() -> None:
    heard: list[tuple[str, str | None]] = []

    class Listening(BodyToolbox):
        async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
            heard.append((call.name, call.arguments_error))
            async for event in super().call(call, place):
                yield event

    odd = (ModelFinish(reason="stop", calls=(call("gone"), call("f", error="no JSON"))),)
    with ScriptedModel(odd, says("done")) as model:
        run = leg(model, f=ok)
        run.toolbox = Listening(run.journal, f=ok)
        await run.run()
    assert heard == [("gone", None), ("f", "no JSON")]
    assert len(started_and_completed(run)) == 2


@pytest.mark.req("RUN-1")
async def test_surplus_calls_are_told_as_calls() -> None:
    many = calls("f", {"n": 0}, call("f", {"n": 1}), call("f", {"n": 2}))
    with ScriptedModel(many, says("done")) as model:
        run = leg(model, limits=Limits(calls_per_step=1), f=ok)
        await run.run()
    assert len(started_and_completed(run)) == 3
    done = [event.answer for event in run.events if isinstance(event, ToolCompleted)]
    why = "Not run: at most 1 calls in one step. Ask again for this one."
    assert done[1:] == [ToolAnswer(ok=False, content=why, error=why)] * 2
    assert run.journal.places[done_id(run, 2)] == Place(0, 2)


def done_id(run: Leg, index: int) -> str:
    return [event.call.id for event in run.events if isinstance(event, ToolCompleted)][index]


@pytest.mark.req("RUN-1")
@pytest.mark.case("TOOL-014")
async def test_broken_toolbox_ends_run_with_safe_words() -> None:
    async def breaks(_: ToolCall) -> str:
        raise ToolboxError("relation students_student does not exist")

    with ScriptedModel(calls("f", {}, call("breaks"), call("f", {"n": 2}))) as model:
        run = leg(model, f=ok, breaks=breaks)
        ended = await run.run()
    assert ended == RunCompleted(status="failed", usage=ended.usage)
    assert run.events[-2] == ErrorRaised(
        code="tool_failed", message="A tool failed.", retryable=False
    )
    cut = "Not finished: A tool failed."
    assert answers(run) == [("f", True, "f ok"), ("breaks", False, cut), ("f", False, cut)]
    assert len(started_and_completed(run)) == 3
    assert_history_is_whole(run)


class Forming(BodyToolbox):
    """Shows a form after its answer, as the gateway does for `render_form`."""

    async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        async for event in super().call(call, place):
            yield event
        yield UiForm(form={"id": call.id})


async def test_form_follows_the_answer() -> None:
    with ScriptedModel(calls("f"), says("done")) as model:
        run = leg(model, f=ok)
        run.toolbox = Forming(run.journal, f=ok)
        await run.run()
    assert run.names()[:3] == ["tool.started", "tool.completed", "ui.form"]


@pytest.mark.case("TOOL-014")
async def test_stop_between_answer_and_form_keeps_both() -> None:
    class Stopping(Forming):
        async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
            async for event in super().call(call, place):
                if isinstance(event, ToolCompleted):
                    run.stop.request()
                yield event

    with ScriptedModel(calls("f", {}, call("f", {"n": 2}))) as model:
        run = leg(model, f=ok)
        run.toolbox = Stopping(run.journal, f=ok)
        assert (await run.run()).status == "cancelled"
    assert run.names()[:3] == ["tool.started", "tool.completed", "ui.form"]
    assert [good for _, good, _ in answers(run)] == [True, False]
    assert run.names().count("ui.form") == 1
