"""Clients that do not read, do not acknowledge, or send too much; and the end of the server."""

import json
import time
from collections.abc import Iterator
from contextlib import ExitStack, suppress

import pytest
from websockets.exceptions import ConnectionClosed

from apps.protocols.socket_protocol import CLOSING_SECONDS
from tests.grammar import check_stream
from tests.protocols.model_server import ModelServer
from tests.protocols.socket.sockets import Socket, socket
from tests.server import RunningServer, running
from tests.wire_client import Client, wait_until

WINDOW = 256 * 1024
SMALL = 32 * 1024


@pytest.fixture(scope="module")
def long_run(alice: Client) -> tuple[str, str]:
    """A run whose events are several windows long: conversation and run."""
    conversation = alice.converse()
    stream = alice.say(conversation, "long 900 0.002")
    assert list(stream.events())[-1].data["status"] == "completed"
    return conversation, stream.run_id


@pytest.fixture(scope="module", autouse=True)
def never_read(alice: Client) -> Iterator[int]:
    """The port of a client closed before the first test, which never reads that it was."""
    with socket(alice, alice.converse(), receive_buffer=4096) as chat:
        flood(chat)
        yield chat.connection.socket.getsockname()[1]
        chat.cut()


def flood(chat: Socket) -> None:
    """More actions than anybody may send; their refusals fill what the client does not read."""
    chat.hello()
    with suppress(ConnectionClosed):
        for _ in range(1500):
            chat.send("resume", runId="nowhere")


def told(chat: Socket) -> int:
    """The letters of all frames that came."""
    return sum(len(json.dumps(frame, ensure_ascii=False)) for frame in chat.frames)


@pytest.fixture(scope="module")
def unheard(alice: Client, long_run: tuple[str, str]) -> Socket:
    """Closed, because it acknowledged nothing of the long run for five seconds."""
    conversation, run_id = long_run
    with socket(alice, conversation, silent=True) as chat:
        chat.hello()
        started = time.monotonic()
        chat.send("resume", runId=run_id, after=0)
        assert chat.close_code() == 4408
        assert time.monotonic() - started > 4.5
    return chat


@pytest.mark.req("RUN-4")
def test_silent_client_is_closed_with_4408(unheard: Socket) -> None:
    assert told(unheard) <= WINDOW * 1.05


@pytest.mark.req("RUN-4")
def test_acknowledging_client_gets_a_burst_whole(alice: Client, long_run: tuple[str, str]) -> None:
    conversation, run_id = long_run
    with socket(alice, conversation) as chat:
        chat.hello()
        for _ in range(4):
            chat.send("resume", runId=run_id, after=0)
            check_stream(chat.run()[1])
            chat.events.clear()


@pytest.mark.case("DJ-008")
def test_reader_that_does_not_read_costs_the_window(
    server: RunningServer, alice: Client, long_run: tuple[str, str]
) -> None:
    conversation, run_id = long_run
    with ExitStack() as opened:

        def held_by(count: int) -> int:
            """What the process holds while so many more do not read."""
            new = [
                opened.enter_context(socket(alice, conversation, silent=True, receive_buffer=SMALL))
                for _ in range(count)
            ]
            chats.extend(new)
            for chat in new:
                chat.send("resume", runId=run_id, after=0)
            assert list(alice.follow(conversation, run_id).events())
            return int(server.usage.memory_info().rss)

        chats: list[Socket] = []
        first = held_by(12)  # what so many readings at once cost the process once is paid
        assert held_by(12) - first < 20_000_000
        assert {chat.close_code() for chat in chats} == {4408}
        assert max(map(told, chats)) <= WINDOW * 1.05


@pytest.mark.req("RUN-4")
def test_late_reader_learns_why_it_was_closed(alice: Client) -> None:
    conversation = alice.converse()
    with (
        socket(alice, conversation, receive_buffer=4096) as late,
        socket(alice, conversation) as prompt,
    ):
        flood(late)
        flood(prompt)
        assert prompt.close_code() == 1008
        time.sleep(3)  # the other one has been closed as long
        assert late.close_code() == 1008


def test_socket_goes_on_from_where_it_was_cut(
    alice: Client, long_run: tuple[str, str], unheard: Socket
) -> None:
    conversation, run_id = long_run
    got = unheard.events[run_id]
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.send("resume", runId=run_id, after=got[-1].seq)
        check_stream(got + chat.run()[1])


NONSENSE: dict[str, str | bytes] = {
    "binary": b'{"action":"stop"}',
    "empty": "",
    "broken": "{",
    "array": "[]",
    "deep": '{"action":"send","content":' + "[" * 2000 + "]" * 2000 + "}",
    "NaN": '{"action":"send","content":NaN}',
    "long and broken": '{"action":"send","content":"' + "x" * 100_000,
    "reference": '{"action":"stop","ref":5}',
    "long reference": '{"action":"stop","ref":"' + "x" * 201 + '"}',
}


@pytest.mark.parametrize("name", NONSENSE)
def test_nonsense_is_refused_and_nothing_ends(alice: Client, name: str) -> None:
    with socket(alice, alice.converse()) as chat:
        chat.hello()
        chat.connection.send(NONSENSE[name])
        refused = chat.refused()
        assert (refused["ref"], refused["data"]["code"]) == (None, "validation")
        chat.say("你好")
        check_stream(chat.run()[1])


def test_frame_over_a_megabyte_is_refused(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("x" * 1_000_000)
        assert chat.refused()["data"]["code"] == "payload_too_large"
        chat.say("x" * 990_000)
        assert list(chat.refused()["data"]["errors"]) == ["content"]
        with suppress(ConnectionClosed):
            chat.say("x" * 5_000_000)
        assert chat.close_code() in (1006, 1009)  # cut off while it still sends
    assert alice.messages(conversation) == []


@pytest.mark.case("DJ-023")
def test_flood_of_actions_is_ended(server: RunningServer, alice: Client) -> None:
    conversation = alice.converse()
    before = server.usage.memory_info().rss
    with socket(alice, conversation, silent=True) as chat, socket(alice, conversation) as calm:
        calm.hello()
        flood(chat)
        calm.say("你好")
        check_stream(calm.run()[1])
        assert chat.close_code() == 1008
    codes = {frame["data"]["code"] for frame in chat.frames if frame["event"] == "refused"}
    assert "rate_limited" in codes
    assert server.usage.memory_info().rss - before < 20_000_000


def test_burst_of_actions_is_done_in_order(alice: Client) -> None:
    with socket(alice, alice.converse()) as chat:
        chat.hello()
        for number in range(12):
            chat.send("stop", ref=str(number), runId="nowhere")
        assert [chat.refused()["ref"] for _ in range(12)] == [str(number) for number in range(12)]


@pytest.mark.case("DJ-023")
def test_sockets_of_one_person_are_bounded(server: RunningServer, alice: Client) -> None:
    person = Client(server).sign_in("bob")
    conversation = person.converse()
    with ExitStack() as opened:
        for _ in range(100):
            opened.enter_context(socket(person, conversation)).hello()
        with socket(person, conversation) as one_more:
            assert one_more.close_code() == 1013
        with socket(alice, alice.converse()) as another:
            another.hello()
    with socket(person, conversation) as chat:
        chat.hello()


def test_closed_client_that_never_reads_is_cut(server: RunningServer, never_read: int) -> None:
    def held() -> bool:
        return any(c.raddr[1:] == (never_read,) for c in server.usage.net_connections())

    wait_until(lambda: not held(), CLOSING_SECONDS + 5)


@pytest.mark.req("RUN-9")
def test_sigterm_closes_sockets_last(model: ModelServer) -> None:
    with running(OPENAI_BASE_URL=model.url) as server:
        alice = Client(server).sign_in("alice")
        conversation = alice.converse()
        with (
            socket(alice, conversation) as chat,
            socket(alice, conversation) as idle,
            socket(alice, conversation, silent=True) as mute,
        ):
            chat.hello()
            idle.hello()
            chat.say("count 60 0.05")
            chat.until("message.delta")
            server.terminate()
            wait_until(lambda: alice.request("GET", "/readyz").status == 503, 5)
            _, events = chat.run()
            check_stream(events)
            assert events[-1].data["status"] == "completed"
            assert idle.run()[1] == events
            assert chat.close_code() in (1001, 1012)
            assert idle.close_code() in (1001, 1012)
            # It waits for nobody's answer to a close.
            assert server.process.wait(CLOSING_SECONDS - 1) == 0
            mute.cut()
