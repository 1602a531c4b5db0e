"""A turn from its start to its last event, through host, writer and bridge."""

import json

import pytest

from apps.conversations.models import Block, Conversation, Message, Run
from apps.conversations.stream.following import follow
from apps.lib import bridge
from apps.runtime.messages import TextDelta, UserMessage
from apps.runtime.scripted_model import ScriptedModel, says
from tests.conversations.host.conftest import Use
from tests.conversations.host.support import (
    HandModel,
    hosting,
    log_of,
    played,
    read,
    start,
)
from tests.grammar import check_stream, recorded

pytestmark = pytest.mark.django_db(transaction=True)


async def test_run_is_told_and_kept(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(says("Hello **alice**."))):
        async with hosting() as host:
            events = await played(host, conversation)
    assert [event.name for event in events[-2:]] == ["message.completed", "run.completed"]
    run = await bridge.call(Run.objects.select_related("message").get)
    assert (run.status, run.finish_reason) == ("completed", "stop")
    assert (run.prompt_tokens, run.completion_tokens) == (10, 2)
    assert run.first_token_ms is not None
    assert run.total_ms is not None
    assert run.first_token_ms <= run.total_ms
    assert run.finished_at is not None
    assert run.message.status == "completed"
    assert run.message.content == "Hello **alice**."
    assert run.message.html == events[-2].data["html"] == "<p>Hello <strong>alice</strong>.</p>\n"
    assert events[-2].data["usage"] == {"promptTokens": 10, "completionTokens": 2}


async def test_log_holds_what_was_followed(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(says("one two three"))):
        async with hosting() as host:
            started = await start(host, conversation)
            live = await read(host.follow(started.run_id))
            replayed = await read(host.follow(started.run_id))
    elsewhere = await read(follow(started.run_id))
    assert live == replayed == elsewhere
    assert await bridge.call(log_of, started.run_id)


async def test_system_message_and_history_are_asked(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(says("417."), says("It is 417."))) as model:
        async with hosting() as host:
            await played(host, conversation, "my code is 417")
            await played(host, conversation, "what is my code?")
    system, *messages = model.requests[1].messages
    assert system.content.endswith("Be brief.")
    assert [message.content for message in messages] == [
        "my code is 417",
        "417.",
        "what is my code?",
    ]
    assert isinstance(messages[-1], UserMessage)


async def test_step_is_one_block_with_its_tokens(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(says("one two"))):
        async with hosting() as host:
            await played(host, conversation)
    blocks = await bridge.call(lambda: list(Block.objects.order_by("pk")))
    assert [(block.key, block.tokens) for block in blocks] == [("user", 0), ("step-0", 2)]
    assert json.loads(blocks[1].payload)["text"] == "one two"


async def test_deltas_are_shown_before_the_end(conversation: Conversation, hand: HandModel) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        source = host.follow(started.run_id)
        opening = await source.next()
        hand.say("first")
        delta = await source.next()
        hand.finish()
        rest = await read(source)
    assert [event.name for event in opening] == ["message.created", "message.created"]
    assert [event.name for event in recorded(delta)] == ["message.delta"]
    check_stream([*opening, *delta, *rest])


async def test_reasoning_is_told_and_not_content(conversation: Conversation, use: Use) -> None:
    from apps.runtime.messages import ModelFinish, ReasoningDelta  # noqa: PLC0415

    answer = (ReasoningDelta(text="hm"), TextDelta(text="Yes."), ModelFinish(reason="stop"))
    with use(ScriptedModel(answer)):
        async with hosting() as host:
            events = await played(host, conversation)
    assert [event.name for event in events[2:4]] == ["reasoning.delta", "message.delta"]
    assert events[-2].data["content"] == "Yes."
    assert events[-1].data["usage"] == {"promptTokens": None, "completionTokens": None}


async def test_long_answer_is_rendered_off_the_loop(
    conversation: Conversation, use: Use, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading  # noqa: PLC0415

    from apps.conversations.host import drive  # noqa: PLC0415

    where: list[str] = []

    def rendered(text: str) -> str:
        where.append(threading.current_thread().name)
        return "<p></p>"

    monkeypatch.setattr(drive, "render_markdown", rendered)
    with use(ScriptedModel(says("short"), says("long " * 1000))):
        async with hosting() as host:
            await played(host, conversation)
            await played(host, conversation)
    assert where[0] == "MainThread"
    assert where[1] != "MainThread"


async def test_message_completed_tells_stored_metadata(
    conversation: Conversation, use: Use
) -> None:
    with use(ScriptedModel(says("ok"))):
        async with hosting() as host:
            await played(host, conversation)
    message = await bridge.call(Message.objects.get, role="assistant")
    assert message.metadata == {}
