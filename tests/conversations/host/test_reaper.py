"""Runs whose host is gone: ended once, with what the log holds, and nobody else's."""

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from typing import Any

import pytest
from django.db import OperationalError, connection

from apps.accounts.actor import Actor
from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.conversations import bridge as conversations_bridge
from apps.conversations.host import reaping
from apps.conversations.host.reaper import reap_expired_runs
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.services.stop_run import StopAnswer, stop_run
from apps.conversations.stream import encode
from apps.conversations.stream.events import Batch, Event, numbered
from apps.conversations.stream.log import read_batches
from apps.conversations.stream.opening import opening_events
from apps.conversations.tasks import reap_runs
from apps.conversations.units import CommitStep, EventFlush, Fence, LeaseLost, batch_row
from apps.lib import bridge
from apps.lib.ids import new_id
from apps.runtime.events import ToolStarted
from apps.runtime.messages import ToolCall
from apps.tools import after
from apps.tools.models import ToolRun
from tests.conversations.host.support import blocks_of, make_run, status_of, until
from tests.conversations.host.test_units import write
from tests.grammar import Recorded, check_stream

pytestmark = pytest.mark.django_db(transaction=True)
PAST = datetime(2020, 1, 1, tzinfo=UTC)


def dead_run(conversation: Conversation, *said: tuple[str, bytes], **fields: Any) -> Run:
    """A run of a host that is gone, with the events it had logged after its opening."""
    run = make_run(conversation, **{"lease_until": PAST, **fields})
    events = opening_events(run, None, run.message)
    events += numbered(run.epoch, said, after=len(events))
    batch_row(run.pk, Batch.of(events)).save()
    return run


def delta(run_text: str, message_id: int = 0) -> tuple[str, bytes]:
    return encode.fact("message.delta", messageId=message_id, delta=run_text)


def said_by(conversation: Conversation, *texts: str, **fields: Any) -> Run:
    run = dead_run(conversation, **fields)
    facts = [encode.fact("message.delta", messageId=run.message_id, delta=text) for text in texts]
    batch_row(run.pk, Batch.of(numbered(run.epoch, facts, after=1))).save()
    return run


def stream_of(run: Run) -> list[Recorded]:
    events: list[Event] = []
    for batch in read_batches(run.pk, after=0):
        events += batch.cut(after=0, upto=batch.last)
    return check_stream(events)


def test_expired_run_fails_with_what_was_said(conversation: Conversation) -> None:
    run = said_by(conversation, "half an", " answer")
    assert reap_expired_runs() == 1
    events = stream_of(run)
    assert [event.name for event in events[-3:]] == ["message.completed", "error", "run.completed"]
    assert events[-3].data["content"] == "half an answer"
    assert events[-2].data["code"] == "run_interrupted"
    assert events[-2].data["retryable"] is True
    assert events[-2].data["traceId"] == run.trace_id
    assert events[-1].data["status"] == "failed"
    assert events[-1].seq // 10_000_000 == run.epoch + 1
    stored = Run.objects.select_related("message").get()
    assert (stored.status, stored.error_code, stored.epoch) == ("failed", "run_interrupted", 2)
    assert (stored.message.status, stored.message.content) == ("failed", "half an answer")
    assert stored.message.html == "<p>half an answer</p>\n"
    assert (stored.prompt_tokens, stored.completion_tokens) == (None, None)


@pytest.mark.parametrize(
    "fields",
    [
        {"lease_until": None},
        {"status": "queued"},
        {"status": "waiting"},
        {"status": "completed"},
    ],
)
def test_only_held_runs_are_reaped(conversation: Conversation, fields: dict[str, Any]) -> None:
    dead_run(conversation, **fields)
    assert reap_expired_runs() == 0
    assert EventBatch.objects.count() == 1


def test_live_lease_is_left_alone(conversation: Conversation) -> None:
    run = make_run(conversation)
    assert reap_expired_runs() == 0
    assert Run.objects.get(pk=run.pk).status == "running"


def test_reaped_run_refuses_its_old_host(conversation: Conversation) -> None:
    run = said_by(conversation, "half")
    reap_expired_runs()
    fence = Fence(run.pk, run.epoch, run.owner)
    late = CommitStep(
        fence=fence, conversation_id=run.conversation_id, index=1, payload="{}", tokens=0
    )
    assert write(EventFlush(fence=fence), late) == [LeaseLost(), LeaseLost()]


def test_unfinished_text_becomes_a_block(conversation: Conversation) -> None:
    run = said_by(conversation, "first", "\n\nsecond, hal")
    payload = json.dumps(
        {
            "index": 0,
            "text": "first",
            "reasoning": "",
            "calls": [],
            "finish_reason": "stop",
            "usage": {},
        }
    )
    Block.objects.create(
        conversation=conversation,
        run_id=run.pk,
        kind="step",
        key="step-0",
        payload=payload,
        created_at=run.created_at,
    )
    reap_expired_runs()
    key, text = blocks_of(run.pk)[-1]
    assert (key, json.loads(text)["text"]) == ("partial", "second, hal")


def test_open_call_is_closed_and_told(conversation: Conversation) -> None:
    run = dead_run(conversation)
    call = ToolCall(id=new_id(), name="create_student", arguments={"name": "Li"})
    started = encode.tool_event(run.message_id, ToolStarted(call=call))
    batch_row(run.pk, Batch.of(numbered(run.epoch, [started], after=1))).save()
    common = {
        "run_id": run.pk,
        "tool_call_id": call.id,
        "audit_id": new_id(),
        "user_id": run.user_id,
        "organisation_id": conversation.user.organisation_id,
        "agent": run.agent_code,
        "trace_id": run.trace_id,
    }
    ToolRun.objects.create(
        **common,
        conversation_id=conversation.pk,
        message_id=run.message_id,
        step=0,
        index=0,
        name=call.name,
        status="started",
        created_at=run.created_at,
    )
    before = AuditEntry(
        **common,
        phase="before",
        at=run.created_at,
        username=conversation.user.username,
        tool=call.name,
        surface="chat",
        body="{}",
    )
    chain.append([before])
    reap_expired_runs()
    completed = next(event for event in stream_of(run) if event.name == "tool.completed")
    assert (completed.data["toolCallId"], completed.data["ok"]) == (call.id, False)
    assert ToolRun.objects.get().status == "not_executed"
    assert after.write_now(ToolRun.objects.all()) == 1
    assert AuditEntry.objects.filter(phase="after").count() == 1


def test_metadata_written_by_forms_is_told(conversation: Conversation) -> None:
    run = said_by(conversation, "x")
    Message.objects.filter(pk=run.message_id).update(metadata={"uiForms": [{"id": "f"}]})
    reap_expired_runs()
    assert stream_of(run)[-3].data["metadata"] == {"uiForms": [{"id": "f"}]}


@pytest.mark.req("RUN-10")
def test_stop_ends_a_run_whose_host_is_gone(conversation: Conversation) -> None:
    run = said_by(conversation, "half")
    told = stop_run(
        actor=Actor.of(conversation.user), conversation_id=conversation.pk, run_id=run.pk
    )
    assert told == StopAnswer(status="failed", ended=True)
    assert stream_of(run)[-3].data["content"] == "half"


@pytest.mark.req("RUN-10")
async def test_reaper_works_without_a_host(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reaping, "REAP_S", 0.05)
    stopping = asyncio.Event()
    work = asyncio.create_task(reaping.Reaper().run(stopping))
    for _ in range(2):  # at once, and again
        run = await bridge.call(said_by, conversation, "half")
        await until(partial(_has_failed, run.pk))
    stopping.set()
    await asyncio.wait_for(work, 5)


def _has_failed(run_id: str) -> bool:
    return status_of(run_id) == "failed"


async def test_reaper_survives_a_database_that_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = asyncio.Semaphore(0)

    async def away() -> int:
        asked.release()
        raise OperationalError("no connection")

    monkeypatch.setattr(reaping, "REAP_S", 0.0)
    monkeypatch.setattr(conversations_bridge, "reap", away)
    stopping = asyncio.Event()
    work = asyncio.create_task(reaping.Reaper().run(stopping))
    async with asyncio.timeout(5):
        await asked.acquire()
        await asked.acquire()
    stopping.set()
    await asyncio.wait_for(work, 5)


def test_many_reapers_end_a_run_once(conversation: Conversation) -> None:
    said_by(conversation, "x")

    def reap(_: int) -> int:
        try:
            return reap_expired_runs()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        assert sum(threads.map(reap, range(4))) == 1
    assert EventBatch.objects.count() == 3


def test_task_reaps_as_the_hosts_do(conversation: Conversation) -> None:
    said_by(conversation, "x")
    assert reap_runs.apply().get() == 1


def test_reaped_conversation_takes_the_next_message(conversation: Conversation) -> None:
    from tests.conversations.host.support import say  # noqa: PLC0415

    said_by(conversation, "x")
    reap_expired_runs()
    say(conversation, "again")
    assert Run.objects.filter(status="queued").count() == 1
