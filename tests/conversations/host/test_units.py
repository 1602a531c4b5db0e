"""The fence: who lost the run writes nothing, and what is written twice stands once."""

import asyncio
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.stream.events import Batch, Event
from apps.conversations.units import (
    CommitStep,
    EventFlush,
    Fence,
    FinishRun,
    LeaseLost,
    Renewed,
    RunEnd,
    plan,
)
from apps.lib.writer.rounds import Unit
from apps.lib.writer.writer import Writer
from apps.runtime.messages import Usage
from tests.conversations.host.conftest import another
from tests.conversations.host.support import make_run

pytestmark = pytest.mark.django_db(transaction=True)
RENEWED = Renewed(cancel_requested=False)


def write(*units: Unit[Any]) -> list[Any]:
    """Hand in all units at once; each one's answer, or the exception it met."""

    async def scenario() -> list[Any]:
        writer = Writer(plan(), loop=asyncio.get_running_loop())
        writer.start()
        answers = asyncio.gather(*map(writer.submit, units), return_exceptions=True)
        try:
            return await answers
        finally:
            await writer.close()

    return asyncio.run(scenario())


def batch(first: int, *names: str) -> Batch:
    events = [
        Event(seq=seq, name=name, data=b"{}") for seq, name in enumerate(names or ("x",), first)
    ]
    return Batch.of(events)


def flush(run: Run, first: int = 1, *names: str, owner: str = "", epoch: int = 0) -> EventFlush:
    fence = Fence(run.pk, epoch or run.epoch, owner or run.owner)
    return EventFlush(fence=fence, batch=batch(first, *names))


def step(run: Run, index: int = 0, *, owner: str = "") -> CommitStep:
    return CommitStep(
        fence=Fence(run.pk, run.epoch, owner or run.owner),
        conversation_id=run.conversation_id,
        index=index,
        payload='{"text":"said"}',
        tokens=3,
    )


def finish(run: Run, *, owner: str = "", partial: str = "") -> FinishRun:
    return FinishRun(
        fence=Fence(run.pk, run.epoch, owner or run.owner),
        conversation_id=run.conversation_id,
        message_id=run.message_id,
        end=RunEnd(
            status="completed",
            content="said",
            html="<p>said</p>",
            finish_reason="stop",
            usage=Usage(prompt=1),
            total_ms=5,
        ),
        batch=batch(9, "message.completed", "run.completed"),
        partial=partial,
    )


def test_flush_writes_and_renews_the_lease(conversation: Conversation) -> None:
    run = make_run(conversation, lease_until=datetime(2020, 1, 1, tzinfo=UTC))
    assert write(flush(run)) == [RENEWED]
    assert EventBatch.objects.get().first == 1
    lease = Run.objects.get().lease_until
    assert lease is not None
    assert timedelta(seconds=13) < lease - datetime.now(UTC) <= timedelta(seconds=16)


def test_heartbeat_renews_without_a_batch(conversation: Conversation) -> None:
    run = make_run(conversation, lease_until=datetime(2020, 1, 1, tzinfo=UTC))
    assert write(EventFlush(fence=Fence(run.pk, 1, "a"))) == [RENEWED]
    assert not EventBatch.objects.exists()
    lease = Run.objects.get().lease_until
    assert lease is not None
    assert lease > datetime.now(UTC)


def test_flush_tells_of_a_requested_stop(conversation: Conversation) -> None:
    run = make_run(conversation, cancel_requested=True)
    assert write(flush(run)) == [Renewed(cancel_requested=True)]


def test_old_owner_writes_nothing_any_more(conversation: Conversation) -> None:
    run = make_run(conversation, epoch=2, owner="b")
    units = [flush(run, owner="a"), flush(run, epoch=1), step(run, owner="a")]
    assert write(*units, finish(run, owner="a")) == [LeaseLost()] * 4
    assert not EventBatch.objects.exists()
    assert not Block.objects.exists()
    assert Run.objects.get().status == "running"
    assert Message.objects.get().status == "pending"


@pytest.mark.parametrize("status", ["failed", "cancelled", "waiting", "queued"])
def test_run_that_is_not_running_takes_no_events(conversation: Conversation, status: str) -> None:
    run = make_run(conversation, status=status)
    assert write(flush(run), step(run), finish(run)) == [LeaseLost()] * 3


def test_one_lost_lease_spares_the_round(conversation: Conversation) -> None:
    run = make_run(conversation)
    lost = make_run(another(conversation.user, conversation.agent), owner="b")
    answers = write(flush(run), flush(lost, owner="a"), step(run), step(lost, owner="a"))
    assert answers == [RENEWED, LeaseLost(), RENEWED, LeaseLost()]
    assert set(EventBatch.objects.values_list("run_id", flat=True)) == {run.pk}


def test_grown_batch_replaces_the_one_it_grew_from(conversation: Conversation) -> None:
    run = make_run(conversation)
    write(flush(run, 5, "one"))
    write(flush(run, 5, "one", "two"))
    assert EventBatch.objects.get().last == 6


def test_step_told_twice_stands_once(conversation: Conversation) -> None:
    run = make_run(conversation)
    assert write(step(run)) == [RENEWED]
    assert write(step(run)) == [RENEWED]
    assert Block.objects.get().key == "step-0"


def test_end_is_all_in_one(conversation: Conversation) -> None:
    run = make_run(conversation)
    assert write(finish(run, partial="sai")) == [RENEWED]
    ended = Run.objects.select_related("message").get()
    assert (ended.status, ended.finish_reason, ended.total_ms) == ("completed", "stop", 5)
    assert (ended.prompt_tokens, ended.completion_tokens) == (1, None)
    assert ended.lease_until is None
    assert (ended.message.status, ended.message.html) == ("completed", "<p>said</p>")
    assert EventBatch.objects.get().last == 10
    assert Block.objects.get().key == "partial"


def test_end_told_twice_is_agreed_to(conversation: Conversation) -> None:
    run = make_run(conversation)
    assert write(finish(run)) == [RENEWED]
    first = Run.objects.get().finished_at
    assert write(finish(run)) == [RENEWED]
    assert Run.objects.get().finished_at == first


def test_bad_end_leaves_everything_as_it_was(conversation: Conversation) -> None:
    run = make_run(conversation)
    EventBatch.objects.create(run=run, first=9, last=9, payload="[]")
    bad = FinishRun(
        fence=Fence(run.pk, 1, "a"),
        conversation_id="nowhere",
        message_id=run.message_id,
        end=RunEnd(status="completed", content="x", html="x"),
        batch=batch(20),
        partial="x",
    )
    assert isinstance(write(bad)[0], Exception)
    assert Run.objects.get().status == "running"
    assert Message.objects.get().content == ""
    assert EventBatch.objects.count() == 1


def test_round_of_many_runs_is_few_statements(
    conversation: Conversation, django_assert_num_queries: Any
) -> None:
    people = conversation.user, conversation.agent
    runs = [make_run(another(*people)) for _ in range(10)]
    with django_assert_num_queries(8):  # BEGIN, twice lock and renew, two inserts, COMMIT
        plan().commit([unit for run in runs for unit in (flush(run), step(run))])
