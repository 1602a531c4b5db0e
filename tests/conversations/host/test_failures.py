"""Every way in which a run ends early: one end, a text that is safe, and the row says the same."""

import asyncio
import logging

import pytest

from apps.accounts.models import User
from apps.conversations.error_texts import error_text
from apps.conversations.host import active as active_module
from apps.conversations.host import telling
from apps.conversations.host.run_host import RunHost
from apps.conversations.models import Block, Conversation, Run
from apps.lib import bridge
from apps.lib.writer.job import WriteRefusedError
from apps.runtime.errors import (
    BadAnswerError,
    ModelRateLimitError,
    ModelUnavailableError,
    RunError,
)
from apps.runtime.messages import ModelDelta, TextDelta, Usage
from apps.runtime.scripted_model import ScriptedModel, says
from tests.conversations.host.conftest import Use
from tests.conversations.host.support import HandModel, hosting, played, read, start, status_of
from tests.grammar import Recorded, check_stream

pytestmark = pytest.mark.django_db(transaction=True)


def end_of(events: list[Recorded]) -> tuple[str, str]:
    """Code and text of the error of a failed stream."""
    assert [event.name for event in events[-3:]] == ["message.completed", "error", "run.completed"]
    assert events[-1].data["status"] == "failed"
    return events[-2].data["code"], events[-2].data["message"]


@pytest.mark.case("STR-022", "STR-025")
@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (BadAnswerError("cut"), "model_bad_answer"),
        (ModelUnavailableError("http 500", retryable=True), "model_unavailable"),
        (ModelRateLimitError("429", retryable=True, retry_after=7), "model_rate_limited"),
    ],
)
async def test_fault_of_the_model_fails_the_run(
    conversation: Conversation, use: Use, fault: RunError, code: str
) -> None:
    with use(ScriptedModel((TextDelta(text="So far"), fault))):
        async with hosting() as host:
            events = await played(host, conversation)
    said, text = end_of(events)
    assert said == code
    assert text == error_text(code, "", retry_after=fault.retry_after)
    assert "http" not in text
    run = await bridge.call(Run.objects.select_related("message").get)
    assert (run.status, run.error_code, run.message.status) == ("failed", code, "failed")
    assert run.message.content == "So far"


@pytest.mark.case("STR-018")
@pytest.mark.parametrize(
    ("said", "prompt"), [((Usage(prompt=250), TextDelta(text="a")), 250), ((), None)]
)
async def test_unknown_usage_is_null_not_zero(
    conversation: Conversation, use: Use, said: tuple[ModelDelta, ...], prompt: int | None
) -> None:
    with use(ScriptedModel((*said, BadAnswerError("cut")))):
        async with hosting() as host:
            events = await played(host, conversation)
    assert events[-1].data["usage"] == {"promptTokens": prompt, "completionTokens": None}
    run = await bridge.call(Run.objects.get)
    assert (run.prompt_tokens, run.completion_tokens) == (prompt, None)


async def test_bug_ends_the_run_with_a_safe_text(
    conversation: Conversation, use: Use, caplog: pytest.LogCaptureFixture
) -> None:
    broken = use(ScriptedModel((TextDelta(text="So far"), ZeroDivisionError("secret"))))
    with broken, caplog.at_level(logging.ERROR):
        async with hosting() as host:
            events = await played(host, conversation)
    code, text = end_of(events)
    assert code == "internal_error"
    assert "secret" not in text
    assert events[-2].data["retryable"] is True
    assert events[-3].data["content"] == "So far"
    assert any(record.exc_info for record in caplog.records)
    run = await bridge.call(Run.objects.get)
    assert (run.status, run.error_code) == ("failed", "internal_error")
    partial = await bridge.call(Block.objects.get, key="partial")
    assert "So far" in partial.payload


async def test_follower_of_a_failed_ring_goes_on_with_the_log(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        source = host.follow(started.run_id)
        seen = [*await source.next()]
        hand.say("one")
        seen += await source.next()
        hand.said.put_nowait(ZeroDivisionError())
        check_stream([*seen, *await read(source)])


async def test_answer_over_the_cap_is_ended(
    conversation: Conversation, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(telling, "EVENTS_CAP", 3000)
    with use(ScriptedModel(tuple(TextDelta(text="字" * 10) for _ in range(1000)))):
        async with hosting() as host:
            events = await played(host, conversation)
    assert end_of(events)[0] == "answer_too_large"
    assert events[-2].data["retryable"] is False
    assert len(events[-3].data["content"].encode()) <= 1000


async def test_error_speaks_the_users_language(conversation: Conversation, use: Use) -> None:
    user = conversation.user
    user.locale = "zh-hans"
    await bridge.call(user.save)
    with use(ScriptedModel((BadAnswerError("cut"),))):
        async with hosting() as host:
            events = await played(host, conversation)
    assert end_of(events)[1] == "模型的回答中断或无法读取，请重试。"


@pytest.mark.req("RUN-3")
@pytest.mark.parametrize(
    ("locale", "wait", "text"),
    [
        ("en", 1.2, "The model service is busy. Try again in 2 s."),
        ("zh-hans", 30.0, "模型服务繁忙，请在 30 秒后重试。"),
        ("en", None, "The model service is busy. Try again in a moment."),
        ("en", 9e9, "The model service is busy. Try again in a moment."),
    ],
)
async def test_a_busy_model_says_when_to_come_back(
    conversation: Conversation, use: Use, locale: str, wait: float | None, text: str
) -> None:
    await bridge.call(User.objects.filter(pk=conversation.user_id).update, locale=locale)
    busy = ModelRateLimitError("slowly", retryable=True, retry_after=wait)
    with use(ScriptedModel((busy,), says("Now."))):
        async with hosting() as host:
            events = await played(host, conversation)
            again = await played(host, conversation)
    assert end_of(events) == ("model_rate_limited", text)
    assert events[-2].data["retryable"] is True
    assert again[-1].data["status"] == "completed"


async def test_drained_host_gives_its_runs_back(
    conversation: Conversation, hand: HandModel
) -> None:
    host, stopping = RunHost(), asyncio.Event()
    work = asyncio.create_task(host.run(stopping))
    await asyncio.sleep(0.05)
    started = await start(host, conversation)
    source = host.follow(started.run_id)
    seen = [*await source.next()]
    hand.say("half")
    seen += await source.next()
    stopping.set()
    await asyncio.sleep(0)
    assert not work.done()
    work.cancel()
    events = check_stream([*seen, *await read(source)])
    with pytest.raises(asyncio.CancelledError):
        await work
    assert end_of(events)[0] == "run_interrupted"
    assert events[-3].data["content"] == "half"
    assert hand.closed.is_set()


async def test_draining_host_takes_no_new_runs(conversation: Conversation, hand: HandModel) -> None:
    host, stopping = RunHost(), asyncio.Event()
    work = asyncio.create_task(host.run(stopping))
    await asyncio.sleep(0.05)
    await start(host, conversation)
    await hand.asked.wait()
    stopping.set()
    await asyncio.sleep(0.05)
    assert (host.has_slot(), host.ready, host.held) == (False, False, 1)
    hand.say("done")
    hand.finish()
    await work
    assert (await bridge.call(Run.objects.get)).status == "completed"


async def test_lost_lease_ends_the_drive_and_writes_nothing(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        await hand.asked.wait()
        taken = Run.objects.filter(pk=started.run_id)
        await bridge.call(lambda: taken.update(epoch=2, owner="another"))
        hand.say("late")
        await asyncio.wait_for(hand.closed.wait(), 5)
    run = await bridge.call(Run.objects.get)
    assert (run.status, run.owner, run.epoch) == ("running", "another", 2)


async def test_host_that_cannot_renew_lets_go(
    conversation: Conversation, hand: HandModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(active_module, "STALE_S", 0.6)
    monkeypatch.setattr(active_module, "RENEW_S", 0.1)
    async with hosting() as host:

        async def refused(unit: object) -> object:
            raise WriteRefusedError("full")

        monkeypatch.setattr(host, "submit", refused)
        started = await start(host, conversation)
        await hand.asked.wait()
        await asyncio.wait_for(hand.closed.wait(), 5)
    assert await bridge.call(status_of, started.run_id) == "running"  # the reaper's


async def test_uncommittable_step_fails_the_run(
    conversation: Conversation, hand: HandModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.conversations.host import journal  # noqa: PLC0415
    from apps.conversations.units import CommitStep  # noqa: PLC0415

    monkeypatch.setattr(journal, "PAUSE_S", 0.0)
    async with hosting() as host:
        submit = host.submit

        async def refused(unit: object) -> object:
            if isinstance(unit, CommitStep):
                raise WriteRefusedError("full")
            return await submit(unit)  # type: ignore[arg-type]

        monkeypatch.setattr(host, "submit", refused)
        started = await start(host, conversation)
        hand.say("said")
        hand.finish()
        events = check_stream(await read(host.follow(started.run_id)))
    assert end_of(events)[0] == "storage_unavailable"
    assert events[-3].data["content"] == "said"


async def test_disabled_provider_fails_with_its_reason(conversation: Conversation) -> None:
    provider = conversation.agent.provider
    provider.enabled = False
    await bridge.call(provider.save)
    async with hosting() as host:
        events = await played(host, conversation)
    assert end_of(events)[0] == "provider_unavailable"


async def test_one_bad_run_spares_the_others(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel((ZeroDivisionError(),), says("fine"))):
        async with hosting() as host:
            await played(host, conversation)
            events = await played(host, conversation)
    assert events[-1].data["status"] == "completed"
