"""The hand-over: never waits, never raises, many calls in one message, one thread a process."""

import json
import logging
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from celery import current_app
from kombu import Connection

from apps.tools import handover
from apps.tools.handover import Handover


def names(count: int) -> list[str]:
    return [f"audit{number:06d}" for number in range(count)]


def until(holds: Callable[[], object]) -> None:
    end = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.01)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """The messages that would have gone to a broker."""
    messages: list[list[str]] = []
    monkeypatch.setattr(handover, "send", messages.append)
    return messages


@pytest.fixture
def unreachable(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A broker's address at which nobody listens."""
    app = current_app._get_current_object()  # type: ignore[attr-defined]

    def closed(*_: object, **__: object) -> Connection:
        return Connection("redis://127.0.0.1:1/0")

    pool = closed().Pool(1)
    monkeypatch.setattr(app.amqp, "_producer_pool", None, raising=False)
    monkeypatch.setattr(type(app), "pool", property(lambda _: pool))
    monkeypatch.setattr(type(app), "connection_for_write", closed)
    yield
    pool.force_close_all()


@pytest.mark.req("TOOL-12")
def test_many_calls_go_in_few_messages(sent: list[list[str]]) -> None:
    hand = Handover()
    for name in names(1000):
        hand.put(name)
    until(lambda: sum(map(len, sent)) == 1000)
    assert [name for message in sent for name in message] == names(1000)
    assert max(map(len, sent)) <= 100
    assert len(sent) <= 12


def test_a_process_has_one_thread(sent: list[list[str]]) -> None:
    before = {thread for thread in threading.enumerate() if thread.name == "handover"}
    hand, barrier = Handover(), threading.Barrier(8)

    def caller() -> None:
        barrier.wait(10)
        hand.put("x")

    threads = [threading.Thread(target=caller) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    until(lambda: sum(map(len, sent)) == 8)
    now = {thread for thread in threading.enumerate() if thread.name == "handover"}
    assert len(now - before) == 1


@pytest.mark.req("TOOL-12")
def test_a_full_queue_drops_and_says_so(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    stuck, released = threading.Event(), threading.Event()

    sent: list[str] = []

    def send(audit_ids: list[str]) -> None:
        stuck.set()
        released.wait(20)
        sent.extend(audit_ids)

    monkeypatch.setattr(handover, "send", send)
    hand = Handover(capacity=10)
    hand.put("first")
    assert stuck.wait(5)
    with caplog.at_level(logging.WARNING):
        began = time.monotonic()
        for name in names(500):
            hand.put(name)
        took = time.monotonic() - began
        released.set()
        until(lambda: "490 calls are left to the sweeper" in caplog.text)
        until(lambda: len(sent) == 11)
    assert took < 1


@pytest.mark.case("F10")
@pytest.mark.usefixtures("unreachable")
def test_a_broker_that_is_down_is_survived(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        handover.send(["x"])
    assert "broker down, 1 calls are left to the sweeper" in caplog.text


def test_a_message_reaches_the_audit_queue() -> None:
    with current_app.connection_for_read() as connection:
        box = connection.SimpleQueue("audit")
        box.clear()
        handover.send(["a", "b"])
        message: Any = box.get(timeout=5)
        message.ack()
    assert json.loads(message.body)[0] == [["a", "b"]]
    assert message.headers["task"] == "apps.tools.tasks.write_after"
