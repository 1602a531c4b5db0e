"""The end of a real process: SIGTERM in the middle of everything."""

import time

import pytest

from tests.protocols.paced import PacedServer, relayed
from tests.wire_client import Stream, wait_until

HALF = b"POST /paced HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf"


@pytest.mark.req("OPS-2")
def test_last_frame_comes_after_sigterm(mortal: PacedServer) -> None:
    names = []
    for event in mortal.play(events=60, interval=0.02).events():
        names.append(event.name)
        if len(names) == 1:
            mortal.terminate()
            signalled = time.monotonic()
    assert names[-1] == "run.completed"
    assert time.monotonic() - signalled > 0.6
    assert mortal.ending()[1] == ""


@pytest.mark.req("OPS-2")
def test_readiness_is_red_while_draining(mortal: PacedServer) -> None:
    assert mortal.figures()["unready"] == []
    stream = mortal.play(events=75, interval=0.02)
    mortal.terminate()
    wait_until(lambda: mortal.figures()["unready"] == ["draining"], 30)
    assert [event.name for event in stream.events()][-1] == "run.completed"


def test_process_ends_when_the_work_does_not(mortal: PacedServer) -> None:
    stream = mortal.play(events=100_000, interval=0.02)
    next(stream.events())
    mortal.terminate()
    assert 1.9 < mortal.ending()[0] < 6


def test_stubborn_application_does_not_hold_the_process(mortal: PacedServer) -> None:
    stream = Stream(mortal.connect(), b"GET /stubborn HTTP/1.1\r\nHost: x\r\n\r\n")
    mortal.terminate()
    assert mortal.ending()[0] < 6
    stream.close()


def test_half_sent_request_does_not_spoil_the_end(mortal: PacedServer) -> None:
    half = mortal.connect()
    half.sendall(HALF)
    stream = mortal.play(events=50, interval=0.02)
    next(stream.events())
    mortal.terminate()
    assert [event.name for event in stream.events()][-1] == "run.completed"
    assert mortal.ending()[0] < 6
    half.close()


def test_streams_are_cancelled_not_dropped(mortal: PacedServer) -> None:
    """Their `finally` runs, also with half requests and idle connections about."""
    idle = mortal.connect()
    idle.sendall(b"GET /figures HTTP/1.1\r\nHost: x\r\n\r\n")
    half = mortal.connect()
    half.sendall(HALF)
    relay = Stream(mortal.connect(), relayed(events=100_000, interval=0.02))
    next(relay.frames())
    mortal.terminate()
    seconds, said = mortal.ending()
    assert "relay cancelled" in said
    assert seconds < 8
    for sock in (idle, half, relay):
        sock.close()


def test_answered_bytes_are_sent_before_the_end(mortal: PacedServer) -> None:
    """All is written, nothing is read: the rest waits in the server's own buffer."""
    relay = Stream(mortal.connect(receive_buffer=4096), relayed(events=2000, size=4000))
    time.sleep(0.5)
    mortal.terminate()
    time.sleep(0.3)
    assert sum(1 for _ in relay.frames()) == 2000


def test_idle_server_ends_at_once(mortal: PacedServer) -> None:
    mortal.terminate()
    assert mortal.ending()[0] < 1.5


def test_every_scope_carries_what_is_shared(paced: PacedServer) -> None:
    assert paced.figures()["shared"] == "by all"
