"""The window by itself: what fits, what an acknowledgement stands for."""

import asyncio
import time

import pytest

from apps.protocols.flood import Flood
from apps.protocols.window import ACK_BYTES, AckWindow, NotAcknowledgedError

LIMIT = 256 * 1024
LOOP = asyncio.new_event_loop()
pytestmark = pytest.mark.req("RUN-4")


def fits(window: AckWindow, size: int) -> bool:
    try:
        LOOP.run_until_complete(window.room_for(size, seconds=0))
    except NotAcknowledgedError:
        return False
    return True


def sent(*frames: tuple[str, int, int]) -> AckWindow:
    window = AckWindow(LIMIT)
    for run_id, seq, size in frames:
        window.sent(run_id, seq, size)
    return window


def test_no_more_than_the_limit_is_on_its_way() -> None:
    window = sent(("a", 1, LIMIT - 1000))
    assert fits(window, 1000)
    assert not fits(window, 1001)


def test_large_frame_travels_while_little_is_out() -> None:
    """Clients need not acknowledge less than this, so nothing may wait for it."""
    assert fits(sent(("a", 1, ACK_BYTES - 1)), 10 * LIMIT)
    assert not fits(sent(("a", 1, ACK_BYTES)), 10 * LIMIT)


def test_acknowledgement_frees_all_before_it() -> None:
    """Also of other runs: their tails are never acknowledged by themselves."""
    window = sent(("a", 1, 60_000), ("a", 2, 60_000), ("b", 1, 60_000), ("b", 2, 80_000))
    assert not fits(window, 10_000)
    window.acknowledge("b", 1)
    assert fits(window, LIMIT - 80_000)
    assert not fits(window, LIMIT - 79_999)


@pytest.mark.parametrize(("run_id", "seq"), [("c", 5), ("a", 0), ("", 99)])
def test_unknown_acknowledgement_frees_nothing(run_id: str, seq: int) -> None:
    window = sent(("a", 1, LIMIT))
    window.acknowledge(run_id, seq)
    assert not fits(window, 1)


def test_run_sent_anew_is_not_freed_by_its_first_half() -> None:
    window = sent(("a", 100, 100_000), ("a", 1, 100_000), ("a", 2, 70_000))
    window.acknowledge("a", 1)
    assert fits(window, LIMIT - 70_000)
    assert not fits(window, LIMIT - 69_999)


def test_waiting_frame_goes_when_there_is_room() -> None:
    async def wait() -> float:
        window = sent(("a", 1, LIMIT))
        asyncio.get_running_loop().call_later(0.05, window.acknowledge, "a", 1)
        started = time.monotonic()
        await window.room_for(1000, seconds=5)
        return time.monotonic() - started

    assert 0.04 < asyncio.run(wait()) < 2


def test_burst_is_let_through_and_flood_is_not() -> None:
    flood = Flood(burst=10, per_second=1)
    assert [flood.admits(100) for _ in range(11)] == [True] * 10 + [False]


def test_long_frames_count_for_more() -> None:
    flood = Flood(burst=100, per_second=1)
    assert not flood.admits(1_000_000)
    assert Flood(burst=102, per_second=1).admits(1_000_000)
