"""Queued runs: oldest first, each by one host, with a slot; strays of a cut-off start too."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from apps.conversations.host.claiming import claim_run, look
from apps.conversations.models import Conversation, EventBatch, Run
from apps.conversations.stream.following import follow
from apps.lib import bridge
from apps.runtime.scripted_model import ScriptedModel, says
from tests.conversations.host.conftest import Use, another
from tests.conversations.host.support import HandModel, hosting, read, say, status_of, until
from tests.grammar import check_stream

pytestmark = pytest.mark.django_db(transaction=True)


async def test_queued_run_is_claimed_and_driven(conversation: Conversation, use: Use) -> None:
    started = await bridge.call(say, conversation)
    assert not started.claimed
    with use(ScriptedModel(says("here I am"))):
        async with hosting():
            events = check_stream(await read(follow(started.run_id)))
    assert events[0].seq == 10_000_001
    run = await bridge.call(Run.objects.get)
    assert (run.status, run.epoch, run.attempts) == ("completed", 1, 1)


async def test_kick_makes_a_look_at_once(
    conversation: Conversation, hand: HandModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    from apps.conversations.host import run_host  # noqa: PLC0415

    monkeypatch.setattr(run_host, "LOOK_S", 60.0)
    async with hosting() as host:
        await asyncio.sleep(0.1)
        await bridge.call(say, conversation)
        host.kick()
        await asyncio.wait_for(hand.asked.wait(), 5)
        hand.finish()


async def test_slots_bound_what_is_driven(conversation: Conversation, hand: HandModel) -> None:
    other = await bridge.call(another, conversation.user, conversation.agent)
    first = await bridge.call(say, conversation)
    second = await bridge.call(say, other)
    async with hosting(slots=1) as host:
        await hand.asked.wait()
        assert (host.held, host.has_slot()) == (1, False)
        assert await bridge.call(status_of, second.run_id) == "queued"
        hand.say("a")
        hand.finish()
        await until(lambda: status_of(first.run_id) == "completed")
        hand.say("b")
        hand.finish()
        await until(lambda: status_of(second.run_id) == "completed")


def test_oldest_runs_are_claimed_first(conversation: Conversation) -> None:
    people = conversation.user, conversation.agent
    started = [say(another(*people)).run_id for _ in range(4)]
    sight = look("host", free=3, driven=())
    assert [claim.fence.run_id for claim in sight.claimed] == started[:3]


def test_many_hosts_claim_a_run_once(conversation: Conversation) -> None:
    run_id = say(conversation).run_id

    def claim(number: int) -> bool:
        try:
            return claim_run(run_id, f"host{number}") is not None
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(claim, range(4))) == 1
    assert EventBatch.objects.get().last == 10_000_002


async def test_start_that_was_cut_off_is_taken_up(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(says("after all"))):
        async with hosting() as host:
            # Claimed for this host, but the request died before it could adopt the run.
            started = await bridge.call(say, conversation, owner=host.owner)
            await until(lambda: status_of(started.run_id) == "completed")


def test_run_that_was_begun_is_no_stray(conversation: Conversation) -> None:
    started = say(conversation, owner="host")
    EventBatch.objects.create(
        run_id=started.run_id, first=10_000_003, last=10_000_009, payload="[]"
    )
    assert look("host", free=1, driven=()).claimed == ()
    assert look("another", free=1, driven=()).claimed == ()


def test_driven_run_is_no_stray(conversation: Conversation) -> None:
    started = say(conversation, owner="host")
    assert look("host", free=1, driven={started.run_id}).claimed == ()
    assert len(look("host", free=1, driven=()).claimed) == 1


async def test_second_host_leaves_a_stream_alone(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await bridge.call(say, conversation, owner=host.owner)
        host.adopt(started)
        await hand.asked.wait()
        hand.say("one")
        async with hosting():
            await asyncio.sleep(0.3)  # it has reaped and looked
            hand.say(" two")
        hand.finish()
        events = check_stream(await read(host.follow(started.run_id)))
    assert events[-2].data["content"] == "one two"
    assert len(hand.requests) == 1
