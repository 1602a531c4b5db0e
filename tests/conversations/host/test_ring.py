"""The ring and the hand-over, against a log that is slow, paged and fails."""

import asyncio
import json
import random
from collections.abc import Sequence

import pytest

from apps.conversations.stream.events import EPOCH_SPAN, Batch, Event
from apps.conversations.stream.following import Following
from apps.conversations.stream.ring import Ring, Write
from apps.conversations.stream.subscription import Subscription
from tests.conversations.host.memory_log import MemoryLog, RisingLog, names

END = ("run.completed", b'{"status":"completed"}')


async def _read(subscription: Subscription | Following, pause: int = 0) -> list[Event]:
    events: list[Event] = []
    while page := await subscription.next():
        events += page
        for _ in range(pause):
            await asyncio.sleep(0)
    return events


def _text(events: Sequence[Event]) -> str:
    return "".join(json.loads(e.data)["delta"] for e in events if e.name.endswith(".delta"))


async def test_deltas_of_one_turn_become_one_event() -> None:
    ring = Ring("r", epoch=3)
    for text in ("one ", "two ", "three"):
        ring.delta("message.delta", 7, text)
    ring.delta("reasoning.delta", 7, "other kind")
    await asyncio.sleep(0)
    events = ring.since(ring.floor)
    assert [e.seq for e in events] == [3 * EPOCH_SPAN + 1, 3 * EPOCH_SPAN + 2]
    assert json.loads(events[0].data) == {"messageId": 7, "delta": "one two three"}


async def test_ring_goes_on_after_the_opening() -> None:
    ring = Ring("r", epoch=1, committed=2)
    ring.delta("message.delta", 7, "x")
    await asyncio.sleep(0)
    assert [e.seq for e in ring.since(ring.floor)] == [EPOCH_SPAN + 3]


async def test_a_fact_hides_until_it_is_committed() -> None:
    log, ring = MemoryLog(), Ring("r", epoch=1)
    ring.delta("message.delta", 1, "before")
    ring.fact("tool.started", b"{}")
    ring.delta("message.delta", 1, "after")
    await asyncio.sleep(0)
    assert names(ring.since(ring.floor)) == ["message.delta"]
    assert ring.unsaved
    await ring.flush(log.write)
    assert names(ring.since(ring.floor)) == ["message.delta", "tool.started", "message.delta"]
    assert not ring.unsaved


def test_a_batch_is_cut_at_the_cursor() -> None:
    events = [
        Event(seq=n, name="message.delta", data=b'{"delta": "\xe6\x96\x87 "}') for n in (4, 5, 6)
    ]
    assert Batch.of(events).cut(after=4, upto=5) == events[1:2]
    assert Batch.of(events).cut(after=0, upto=9) == events


async def test_the_end_waits_for_its_commit() -> None:
    log, ring = MemoryLog(random.Random(5)), Ring("r", epoch=1)
    reader = asyncio.create_task(_read(Subscription(ring, log=log)))
    finishing = asyncio.create_task(_persist(ring, log.write, [END]))
    await asyncio.sleep(0)
    assert not reader.done()
    await finishing
    assert names(await reader) == ["run.completed"]
    assert ring.complete


async def test_last_facts_are_told_once_however_often() -> None:
    ring, log, tries = Ring("r", epoch=1), MemoryLog(), 0

    async def fail_twice(batch: Batch) -> None:
        nonlocal tries
        tries += 1
        if tries < 3:
            raise OSError
        await log.write(batch)

    for _ in range(2):
        with pytest.raises(OSError):  # noqa: PT011, its own class says enough
            await ring.finish([END], fail_twice)
        await ring.flush(log.write)  # leaves the end to `finish`
        assert not log.batches
    await ring.finish([END], fail_twice)
    assert ring.last == EPOCH_SPAN + 1
    assert list(log.batches) == [EPOCH_SPAN + 1]


async def test_abandoned_ring_ends_its_readers() -> None:
    ring = Ring("r", epoch=1)
    ring.delta("message.delta", 1, "seen")
    await asyncio.sleep(0)
    ring.fact("tool.started", b"{}")
    reader = asyncio.create_task(_read(Subscription(ring, log=MemoryLog())))
    await asyncio.sleep(0)
    ring.abandon()
    assert names(await reader) == ["message.delta"]


async def test_cursor_of_lost_deltas_meets_next_epoch() -> None:
    log, first, second = MemoryLog(), Ring("r", epoch=1), Ring("r", epoch=2)
    first.fact("message.created", b"{}")
    await first.flush(log.write)
    first.abandon()
    second.fact("message.restated", b"{}")
    source = Following("r", after=EPOCH_SPAN + 60, log=log, ring=second)
    reader = asyncio.create_task(_read(source))
    await second.finish([END], log.write)
    assert [e.seq for e in await reader] == [2 * EPOCH_SPAN + 1, 2 * EPOCH_SPAN + 2]


async def test_events_committed_during_a_read_arrive() -> None:
    ring = Ring("r", epoch=2, window=0)
    subscription = Subscription(ring, log=RisingLog(ring), after=EPOCH_SPAN + 60)
    assert names(await subscription.next()) == ["message.restated"]


@pytest.mark.req("RUN-9")
@pytest.mark.parametrize("seed", range(100))
async def test_no_reader_loses_or_doubles(seed: int) -> None:
    chance = random.Random(seed)
    log = MemoryLog(chance)
    ring = Ring("r", epoch=1, window=chance.choice([0, 100, 10_000]))
    readers, flushes, starts, said = [], [], [], ""
    for number in range(300):
        said += f"{number} "
        ring.delta("message.delta", 1, f"{number} ")
        if chance.random() < 0.05:
            ring.fact("tool.started", b"{}")
        if chance.random() < 0.1:
            flushes.append(asyncio.create_task(_persist(ring, log.write)))
        if chance.random() < 0.05:
            starts.append(chance.randrange(EPOCH_SPAN, ring.shown + 1))
            follower = Following("r", after=starts[-1], log=log, ring=ring)
            readers.append(asyncio.create_task(_read(follower, chance.randrange(30))))
        if chance.random() < 0.5:
            await asyncio.sleep(0)
    await asyncio.gather(*flushes, _persist(ring, log.write, [END]))
    whole = await _read(Following("r", after=0, log=log, ring=None))
    assert _text(whole) == said
    assert [e.seq for e in whole] == list(range(whole[0].seq, whole[0].seq + len(whole)))
    for start, events in zip(starts, await asyncio.gather(*readers), strict=True):
        assert events == [e for e in whole if e.seq > start]


async def _persist(ring: Ring, write: Write, end: Sequence[tuple[str, bytes]] = ()) -> None:
    while True:
        try:
            return await (ring.finish(end, write) if end else ring.flush(write))
        except OSError:
            continue


async def test_memory_of_a_ring_is_its_window() -> None:
    log, ring = MemoryLog(), Ring("r", epoch=1, window=1000)
    follower = Subscription(ring, log=log)  # never reads: a cursor holds nothing
    for _ in range(500):
        ring.delta("message.delta", 1, "x" * 100)
        await ring.flush(log.write)
    assert len(await follower.next()) == 1
    assert sum(len(e.data) for e in ring.since(ring.floor)) <= 1000
