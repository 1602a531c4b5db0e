"""The base class over real sockets: refusals, disconnects, readers that do not read."""

import socket
import threading
import time
from collections.abc import Callable

import pytest

from tests.protocols.paced import AUTHORIZED, PacedServer, posted, relayed
from tests.wire_client import Answer, Stream, wait_until

LARGE = {"padding": "x" * 2_000_000}


@pytest.mark.req("RUN-3")
def test_refusal_is_problem_json(paced: PacedServer) -> None:
    answer = paced.ask(posted({}, auth=""))
    assert (answer.status, answer.code) == (401, "not_authenticated")
    assert answer.headers["www-authenticate"] == "Token"
    assert answer.headers["cache-control"] == "no-store"
    assert answer.headers["x-trace-id"] == answer.json()["trace_id"]


def test_callers_trace_id_is_kept(paced: PacedServer) -> None:
    trace_id = "0af7651916cd43dd8448eb211c80319c"
    more = f"traceparent: 00-{trace_id}-b7ad6b7169203331-01\r\n"
    assert paced.ask(posted({}, auth="", more=more)).json()["trace_id"] == trace_id


def test_other_methods_are_refused(paced: PacedServer) -> None:
    answer = paced.ask(b"GET /paced HTTP/1.1\r\nHost: x\r\n\r\n")
    assert (answer.status, answer.code) == (405, "method_not_allowed")
    assert answer.headers["allow"] == "POST"


def test_bug_is_a_problem_without_its_text(paced: PacedServer) -> None:
    answer = paced.ask(posted({"events": "a secret"}))
    assert (answer.status, answer.code) == (500, "internal_error")
    assert b"secret" not in answer.body
    assert b"Traceback" not in answer.body


def test_large_body_is_refused_after_authentication(paced: PacedServer) -> None:
    assert paced.ask(posted(LARGE, auth="")).code == "not_authenticated"
    answer = paced.ask(posted(LARGE))
    assert (answer.status, answer.code) == (413, "payload_too_large")


def _declared(sock: socket.socket) -> None:
    sock.sendall(f"POST /paced HTTP/1.1\r\nHost: x\r\n{AUTHORIZED}".encode())
    sock.sendall(b"Content-Length: 200000000\r\n\r\n")
    for _ in range(200):
        sock.sendall(b"x" * 1_000_000)


def _chunked(sock: socket.socket) -> None:
    sock.sendall(f"POST /paced HTTP/1.1\r\nHost: x\r\n{AUTHORIZED}".encode())
    sock.sendall(b"Transfer-Encoding: chunked\r\n\r\n")
    for _ in range(200):
        sock.sendall(b"%x\r\n%b\r\n" % (1_000_000, b"x" * 1_000_000))
    sock.sendall(b"0\r\n\r\n")


@pytest.mark.parametrize("upload", [_declared, _chunked])
def test_two_hundred_megabytes_are_not_buffered(
    paced: PacedServer, upload: Callable[[socket.socket], None]
) -> None:
    before = paced.megabytes()
    sock = paced.connect()
    upload(sock)
    answer = Stream(sock, b"").answer()
    assert (answer.status, answer.code) == (413, "payload_too_large")
    assert paced.megabytes() - before < 25
    assert paced.figures()["unready"] == []


def test_declared_length_is_refused_before_a_byte(paced: PacedServer) -> None:
    head = f"POST /paced HTTP/1.1\r\nHost: x\r\n{AUTHORIZED}Content-Length: 200000000\r\n\r\n"
    asked = time.monotonic()
    assert paced.ask(head.encode()).status == 413
    assert time.monotonic() - asked < 1.0


def test_root_path_cannot_come_from_outside(paced: PacedServer) -> None:
    request = b"GET /figures HTTP/1.1\r\nHost: x\r\nDaphne-Root-Path: /elsewhere\r\n\r\n"
    answer: Answer = paced.ask(request)
    assert answer.json()["root"] == ""


def test_disconnect_is_seen_at_once(paced: PacedServer) -> None:
    stream = paced.play(events=2, interval=3)
    next(stream.events())
    left = time.monotonic()
    stream.close()
    wait_until(lambda: _ended_after(paced, left), 2)
    assert _ended_after(paced, left)[0] - left < 0.5


def _ended_after(paced: PacedServer, moment: float) -> list[float]:
    return [at for at in paced.figures()["ended"] if at > moment]


def test_fifty_streams_take_no_thread(paced: PacedServer) -> None:
    before = paced.figures()["threads"]
    streams = [paced.play(events=3, interval=0.7) for _ in range(50)]
    assert paced.figures()["threads"] == before
    for stream in streams:
        assert [event.name for event in stream.events()][-1] == "run.completed"


def test_silent_stream_has_heartbeats(paced: PacedServer) -> None:
    frames = list(paced.play(events=1, interval=1.3).frames())
    assert 2 <= sum(frame.startswith(":") for frame in frames) <= 3


def test_reader_that_reads_nothing_is_cut(mortal: PacedServer) -> None:
    before = mortal.megabytes()
    zero = mortal.play(events=10_000, size=8000, buffer=4096)
    started = time.monotonic()
    peaks = [before]
    watch = threading.Thread(target=_watch, args=(mortal, peaks, started + 5))
    watch.start()
    assert sum(1 for _ in mortal.play(events=2500, size=8000).events()) == 2501
    watch.join()
    assert max(peaks) - before < 30
    wait_until(lambda: len(_ended_after(mortal, started)) == 2, 10)
    with pytest.raises(ConnectionError):
        list(zero.events())


def _watch(server: PacedServer, peaks: list[float], until: float) -> None:
    while time.monotonic() < until:
        peaks.append(server.megabytes())
        time.sleep(0.05)


def test_stream_behind_unread_answer_is_cut(paced: PacedServer) -> None:
    """Two requests in one packet: the first answer fills the buffers, the second is a stream."""
    sock = paced.connect(receive_buffer=4096)
    before = time.monotonic()
    big = {"events": 4000, "size": 4000}
    sock.sendall(relayed(events=2000, size=8000) + posted(big))
    wait_until(lambda: _ended_after(paced, before), 10)
    sock.close()
