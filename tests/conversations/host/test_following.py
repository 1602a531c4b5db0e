"""Following a run that is driven elsewhere, or over: by the log, from any cursor, to its end."""

import asyncio
from collections.abc import Callable

import pytest

from apps.conversations.models import Conversation, Run
from apps.conversations.stream import log as log_module
from apps.conversations.stream.events import EPOCH_SPAN, Batch, Event, ends_run, numbered
from apps.conversations.stream.following import Following, follow
from apps.conversations.stream.log import read_batches
from apps.conversations.stream.ring import Ring
from apps.conversations.units import batch_row
from apps.lib import bridge
from tests.conversations.host.memory_log import MemoryLog, names
from tests.conversations.host.support import make_run, read
from tests.grammar import check_stream

pytestmark = pytest.mark.django_db(transaction=True)
DELTA = ("message.delta", b'{"messageId":1,"delta":"x"}')
END = ("run.completed", b'{"status":"completed"}')
LEG = ("run.completed", b'{"status":"interrupted"}')


def logged(run: Run, epoch: int, *bodies: tuple[str, bytes], after: int = 0) -> None:
    batch_row(run.pk, Batch.of(numbered(epoch, bodies, after=after))).save()


@pytest.fixture
def ended(conversation: Conversation) -> Run:
    """Two epochs: the first was cut off, the second ended the run."""
    run = make_run(conversation, status="failed")
    logged(run, 1, *[DELTA] * 5)
    logged(run, 1, *[DELTA] * 5, after=5)
    logged(run, 2, DELTA, END)
    return run


@pytest.mark.req("RUN-9")
@pytest.mark.parametrize("place", range(13))
async def test_any_cursor_gets_the_rest(ended: Run, place: int) -> None:
    whole = await read(follow(ended.pk))
    assert len(whole) == 12
    rest = await read(follow(ended.pk, whole[place - 1].seq if place else 0))
    assert rest == whole[place:]


@pytest.mark.parametrize("after", [EPOCH_SPAN + 4000, 2 * EPOCH_SPAN - 1])
async def test_cursor_behind_its_epoch_meets_the_next(ended: Run, after: int) -> None:
    assert [e.seq for e in await read(follow(ended.pk, after))] == [
        2 * EPOCH_SPAN + 1,
        2 * EPOCH_SPAN + 2,
    ]


async def test_cursor_beyond_the_end_gets_the_end(ended: Run) -> None:
    assert await read(follow(ended.pk, 9 * EPOCH_SPAN)) == []


async def test_run_that_is_removed_ends_its_readers(conversation: Conversation) -> None:
    run = await bridge.call(make_run, conversation)
    await bridge.call(logged, run, 1, DELTA)
    source = follow(run.pk)
    assert len(await source.next()) == 1
    await bridge.call(conversation.delete)
    (end,) = check_stream(await read(source), after=EPOCH_SPAN + 1, removed=True)
    assert (end.data["runId"], end.data["status"]) == (run.pk, "cancelled")
    assert end.seq == 2 * EPOCH_SPAN + 1
    assert await source.next() == ()


async def test_events_are_found_while_they_are_written(conversation: Conversation) -> None:
    run = await bridge.call(make_run, conversation)
    source = follow(run.pk)
    waiting = asyncio.create_task(read(source))
    for number in range(3):
        await asyncio.sleep(0.05)
        assert not waiting.done()
        await bridge.call(lambda n: logged(run, 1, DELTA, after=n), number)
    await bridge.call(lambda: logged(run, 1, LEG, END, after=3))
    assert names(await waiting) == ["message.delta"] * 3 + ["run.completed"] * 2


async def test_interrupted_leg_is_not_the_end() -> None:
    log = MemoryLog()
    log.batches[1] = Batch.of(numbered(1, [LEG]))
    source = Following("r", after=0, log=log, ring=None)
    assert names(await source.next()) == ["run.completed"]
    log.batches[2] = Batch.of(numbered(2, [END]))
    assert names(await read(source)) == ["run.completed"]


async def test_abandoned_ring_is_followed_by_the_log() -> None:
    log, ring = MemoryLog(), Ring("r", epoch=1)
    source = Following("r", after=0, log=log, ring=ring)
    ring.delta("message.delta", 1, "shown, not logged")
    assert names(await source.next()) == ["message.delta"]
    ring.abandon()
    log.batches[2 * EPOCH_SPAN + 1] = Batch.of(numbered(2, [END]))
    assert [e.seq for e in await read(source)] == [2 * EPOCH_SPAN + 1]


async def test_cancelled_wait_loses_nothing() -> None:
    log, ring = MemoryLog(), Ring("r", epoch=1)
    source = Following("r", after=0, log=log, ring=ring)
    for _ in range(3):
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(source.next(), 0.01)
    ring.delta("message.delta", 1, "x")
    assert names(await source.next()) == ["message.delta"]


async def test_polling_backs_off_to_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    pauses: list[float] = []
    sleep: Callable[..., object] = asyncio.sleep

    async def counted(seconds: float) -> None:
        pauses.append(seconds)
        await sleep(0)  # type: ignore[misc]
        if len(pauses) == 12:
            log.open = False

    log = MemoryLog()
    monkeypatch.setattr(asyncio, "sleep", counted)
    assert await read(Following("r", after=0, log=log, ring=None)) == []
    assert pauses[:3] == [0.0, 0.1, pytest.approx(0.15)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == 1.0


def test_page_is_bounded_in_bytes(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_module, "PAGE_BYTES", 1000)
    run = make_run(conversation)
    large = ("message.delta", b'{"delta":"%b"}' % (b"x" * 400))
    huge = ("message.delta", b'{"delta":"%b"}' % (b"x" * 5000))
    for place, body in enumerate([large, large, large, huge, large]):
        logged(run, 1, body, after=place)
    pages, after = [], 0
    while page := read_batches(run.pk, after=after):
        pages.append(len(page))
        after = page[-1].last
    assert pages == [2, 1, 1, 1]


def test_end_of_a_run_is_told_from_a_legs() -> None:
    def event(name: str, data: bytes) -> Event:
        return Event(seq=1, name=name, data=data)

    assert ends_run(event(*END))
    assert not ends_run(event(*LEG))
    assert not ends_run(event("message.delta", b'{"delta":"run.completed"}'))
