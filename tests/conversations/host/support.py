"""A host inside the test's loop, models that are led by hand, and what the tests look at."""

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any
from uuid import uuid4

from apps.accounts.actor import Actor
from apps.conversations.host.run_host import RunHost
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.services.start_run import start_run
from apps.conversations.services.starting import RunRequest, StartedRun
from apps.conversations.services.text import TextSubmission
from apps.conversations.stream.events import Event
from apps.conversations.stream.following import Following
from apps.conversations.units import lease_end
from apps.lib import bridge
from apps.lib.canonical import canonical_json, digest
from apps.lib.clock import now
from apps.lib.trace import new_trace_id
from apps.runtime.messages import ModelDelta, ModelFinish, ModelRequest, TextDelta, Usage
from tests.grammar import Recorded, check_stream

SECONDS = 20.0
"""How long a test waits for what must happen."""


@asynccontextmanager
async def hosting(*, slots: int = 64) -> AsyncIterator[RunHost]:
    """A host that takes runs; at the end of the block it drains and closes."""
    host, stopping = RunHost(slots=slots), asyncio.Event()
    work = asyncio.create_task(host.run(stopping))
    await asyncio.sleep(0)
    assert host.ready
    try:
        yield host
    finally:
        stopping.set()
        async with asyncio.timeout(SECONDS):
            await work


def say(conversation: Conversation, content: str = "hello", *, owner: str = "") -> StartedRun:
    """Start a run as the endpoint does."""
    body = {"content": content, "clientRequestId": str(uuid4())}
    request = RunRequest(
        actor=Actor.of(conversation.user),
        conversation=conversation,
        client_request_id=uuid4(),
        body_digest=digest(canonical_json(body)),
        trace_id=new_trace_id(),
        owner=owner,
    )
    return start_run(request, TextSubmission(data=body, locked_skill_key=""))


async def start(host: RunHost, conversation: Conversation, content: str = "hello") -> StartedRun:
    """Start a run and give it to the host, as the endpoint does."""
    owner = host.owner if host.has_slot() else ""
    started = await bridge.call(say, conversation, content, owner=owner)
    if started.claimed:
        host.adopt(started)
    return started


async def read(source: Following) -> list[Event]:
    """All events, until the source ends."""
    events: list[Event] = []
    async with asyncio.timeout(SECONDS):
        while page := await source.next():
            events += page
    return events


async def played(
    host: RunHost, conversation: Conversation, content: str = "hello"
) -> list[Recorded]:
    """A whole run, started and followed; checked by the grammar."""
    started = await start(host, conversation, content)
    return check_stream(await read(host.follow(started.run_id)))


class HandModel:
    """Says what the test puts in, when it puts it in; tells when its stream is closed."""

    def __init__(self) -> None:
        self.said: asyncio.Queue[ModelDelta | Exception] = asyncio.Queue()
        self.requests: list[ModelRequest] = []
        self.asked = asyncio.Event()
        self.closed = asyncio.Event()

    def say(self, *texts: str) -> None:
        for text in texts:
            self.said.put_nowait(TextDelta(text=text))

    def finish(self, *calls: Any) -> None:
        self.said.put_nowait(Usage(prompt=10, completion=5))
        self.said.put_nowait(ModelFinish(reason="stop", calls=calls))

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelDelta, None]:
        self.requests.append(request)
        self.asked.set()
        try:
            while not isinstance(delta := await self.said.get(), ModelFinish):
                if isinstance(delta, Exception):
                    raise delta
                yield delta
            yield delta
        finally:
            self.closed.set()


async def until(holds: Callable[[], bool]) -> None:
    """Wait for what a query of the database says."""
    async with asyncio.timeout(SECONDS):
        while True:
            if await bridge.call(holds):
                return
            await asyncio.sleep(0.02)


def status_of(run_id: str) -> str:
    return Run.objects.get(pk=run_id).status


def make_run(conversation: Conversation, *, owner: str = "a", epoch: int = 1, **fields: Any) -> Run:
    """A run that is held, without a host; `fields` override its columns."""
    message = Message.objects.create(
        conversation=conversation,
        role=Message.Role.ASSISTANT,
        status=Message.Status.PENDING,
        created_at=now(),
    )
    values: dict[str, Any] = {
        "conversation": conversation,
        "user": conversation.user,
        "message": message,
        "client_request_id": uuid4(),
        "body_digest": "0" * 64,
        "status": Run.Status.RUNNING,
        "epoch": epoch,
        "owner": owner,
        "lease_until": lease_end(),
        "agent_code": conversation.agent.code,
        "agent_version": "1",
        "variant": conversation.variant,
        "surface": conversation.surface,
        "trace_id": new_trace_id(),
        "created_at": now(),
        "started_at": now(),
    }
    run = Run(**values | fields)
    run.save(force_insert=True)
    return Run.objects.get(pk=run.pk)


def log_of(run_id: str) -> list[EventBatch]:
    return list(EventBatch.objects.filter(run_id=run_id).order_by("first"))


def blocks_of(run_id: str) -> list[tuple[str, str]]:
    """Key and payload, in order."""
    return list(Block.objects.filter(run_id=run_id).order_by("pk").values_list("key", "payload"))
