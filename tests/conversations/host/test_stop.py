"""Stop: by the row, by the hint, while the model is silent, and what the next turn knows of it."""

import asyncio
import time

import pytest

from apps.accounts.actor import Actor
from apps.conversations.host.run_host import RunHost
from apps.conversations.models import Conversation, Message, Run
from apps.conversations.services.conversations import delete_conversation
from apps.conversations.services.starting import StartedRun
from apps.conversations.services.stop_run import stop_run
from apps.conversations.stream.events import Event
from apps.conversations.stream.following import Following, follow
from apps.lib import bridge
from tests.conversations.host.conftest import Use
from tests.conversations.host.support import HandModel, hosting, played, read, start
from tests.grammar import check_stream

pytestmark = pytest.mark.django_db(transaction=True)


async def ask_to_stop(conversation: Conversation, started: StartedRun) -> str:
    answer = await bridge.call(
        stop_run,
        actor=Actor.of(conversation.user),
        conversation_id=conversation.pk,
        run_id=started.run_id,
    )
    return answer.status


async def spoken(
    host: RunHost, conversation: Conversation, hand: HandModel
) -> tuple[Following, list[Event], StartedRun]:
    """A run that has said five words and goes on."""
    started = await start(host, conversation)
    source = host.follow(started.run_id)
    seen = [*await source.next()]
    await hand.asked.wait()
    for word in ("one", " two", " three", " four", " five"):
        hand.say(word)
        seen += await source.next()
    return source, seen, started


@pytest.mark.case("STR-005")
async def test_stop_closes_upstream_within_a_second(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        source, seen, started = await spoken(host, conversation, hand)
        begun = time.monotonic()
        assert await ask_to_stop(conversation, started) == "stopping"
        await asyncio.wait_for(hand.closed.wait(), 1)
        assert time.monotonic() - begun < 1
        hand.say(" six")
        rest = await read(source)
    events = check_stream([*seen, *rest])
    assert [event.name for event in rest] == ["message.completed", "run.completed"]
    assert events[-1].data["status"] == "cancelled"
    run = await bridge.call(Run.objects.select_related("message").get)
    assert (run.status, run.message.status) == ("cancelled", "cancelled")
    assert run.message.content == "one two three four five"
    assert (run.prompt_tokens, run.completion_tokens) == (None, None)


async def test_flush_tells_of_a_stop_without_hint(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        source, _, started = await spoken(host, conversation, hand)
        # As another process does, which has no hint to give.
        run = Run.objects.filter(pk=started.run_id)
        await bridge.call(lambda: run.update(cancel_requested=True))
        hand.say(" six")
        begun = time.monotonic()
        await asyncio.wait_for(hand.closed.wait(), 5)
        assert time.monotonic() - begun < 1
        await read(source)


async def test_silent_run_is_stopped_by_a_look(conversation: Conversation, hand: HandModel) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        await hand.asked.wait()
        run = Run.objects.filter(pk=started.run_id)
        await bridge.call(lambda: run.update(cancel_requested=True))
        await asyncio.wait_for(hand.closed.wait(), 3)
        events = check_stream(await read(host.follow(started.run_id)))
    assert events[-1].data["status"] == "cancelled"


@pytest.mark.case("STR-007")
async def test_next_turn_knows_the_stopped_answer(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation, "my code is 417")
        source = host.follow(started.run_id)
        await source.next()
        hand.say("Noted")
        await source.next()
        await ask_to_stop(conversation, started)
        await read(source)
        hand.say("417")
        hand.finish()
        await played(host, conversation, "what is my code?")
    told = [message.content for message in hand.requests[1].messages[1:]]
    assert told == ["my code is 417", "Noted", "what is my code?"]
    rows = await bridge.call(lambda: list(Message.objects.order_by("pk").values_list("content")))
    assert [content for (content,) in rows] == [
        "my code is 417",
        "Noted",
        "what is my code?",
        "417",
    ]


@pytest.mark.case("STR-012")
async def test_stop_before_the_first_token_keeps_the_question(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation, "a question")
        await hand.asked.wait()
        await ask_to_stop(conversation, started)
        check_stream(await read(host.follow(started.run_id)))
    messages = await bridge.call(lambda: list(Message.objects.order_by("pk")))
    assert [(message.content, message.status) for message in messages] == [
        ("a question", "completed"),
        ("", "cancelled"),
    ]


async def test_stop_asked_before_the_drive_asks_no_model(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await bridge.call(_started, conversation, host.owner)
        await ask_to_stop(conversation, started)
        host.adopt(started)
        events = check_stream(await read(host.follow(started.run_id)))
    assert events[-1].data["status"] == "cancelled"
    assert hand.requests == []


def _started(conversation: Conversation, owner: str) -> StartedRun:
    from tests.conversations.host.support import say  # noqa: PLC0415

    return say(conversation, owner=owner)


async def test_stop_of_an_ended_run_says_so(conversation: Conversation, use: Use) -> None:
    from apps.runtime.scripted_model import ScriptedModel, says  # noqa: PLC0415

    with use(ScriptedModel(says("done"))):
        async with hosting() as host:
            started = await start(host, conversation)
            await read(host.follow(started.run_id))
            assert await ask_to_stop(conversation, started) == "completed"


async def test_removal_of_the_conversation_ends_a_live_stream(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        live, polled = host.follow(started.run_id), follow(started.run_id)
        seen = [*await live.next()]
        hand.say("half")
        seen += await live.next()
        await bridge.call(
            delete_conversation,
            actor=Actor.of(conversation.user),
            conversation_id=conversation.pk,
        )
        hand.say(" of it")
        events = check_stream([*seen, *await read(live)], removed=True)
        others = check_stream(await read(polled), removed=True)
        await asyncio.wait_for(hand.closed.wait(), 5)
    assert [stream[-1].data["status"] for stream in (events, others)] == ["cancelled"] * 2
    assert "message.completed" not in [event.name for event in events]
