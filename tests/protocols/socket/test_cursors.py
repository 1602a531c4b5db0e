"""Reloads and cuts: whatever the cursor, the rest comes whole, once, and byte by byte the same."""

import random
from contextlib import ExitStack

import pytest

from tests.grammar import check_stream
from tests.protocols.model_server import ModelServer
from tests.protocols.socket.sockets import socket
from tests.server import RunningServer
from tests.wire_client import Client, Event, Stream

pytestmark = pytest.mark.req("RUN-9")
CUTS = 50


def data_lines(stream: Stream) -> list[str]:
    """The data of each event, as the bytes came."""
    frames = bytes(stream.raw).decode().split("\n\n")[:-1]
    return [frame.split("\ndata: ", 1)[1] for frame in frames if not frame.startswith(":")]


def test_every_cursor_gives_the_bytes_of_sse(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("count 12 0.05")
        run_id, whole = chat.run()
        lines = chat.raw[run_id]
    check_stream(whole)
    for after in (0, *(event.seq for event in whole[:-1])):
        replay = alice.follow(conversation, run_id, after)
        rest = [event for event in whole if event.seq > after]
        with socket(alice, conversation) as late:
            late.hello()
            late.send("resume", runId=run_id, after=after)
            assert late.run() == (run_id, rest)
        assert list(replay.events()) == rest
        assert late.raw[run_id] == data_lines(replay) == lines[len(lines) - len(rest) :]


def test_reload_in_mid_stream_loses_nothing(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("count 60 0.02")
        for _ in range(10):
            seen = chat.until("message.delta")["seq"]
    with socket(alice, conversation) as anew, socket(alice, conversation) as onward:
        run_id = anew.hello()["activeRun"]["runId"]
        onward.hello()
        anew.send("resume", runId=run_id, after=0)
        onward.send("resume", runId=run_id, after=seen)
        whole, rest = anew.run()[1], onward.run()[1]
    check_stream(whole)
    check_stream(rest, after=seen)
    assert [event for event in whole if event.seq > seen] == rest
    assert whole == list(alice.follow(conversation, run_id).events())


@pytest.mark.case("DJ-007")
def test_cuts_lose_nothing_and_double_nothing(alice: Client) -> None:
    dice = random.Random(7)
    conversation = alice.converse()
    stream = alice.say(conversation, "count 250 0.02")
    run_id, got, cuts = stream.run_id, list[Event](), 0
    with socket(alice, conversation) as steady:
        steady.hello()
        steady.send("resume", runId=run_id)
        while not got or got[-1].name != "run.completed":
            with socket(alice, conversation) as chat:
                chat.hello()
                chat.send("resume", runId=run_id, after=got[-1].seq if got else 0)
                many = dice.randint(1, 5) if cuts < CUTS else 10**6
                while many and chat.receive()["event"] != "run.completed":
                    many -= 1
                got += chat.events.get(run_id, [])
                chat.cut()
                cuts += 1
        assert steady.run()[1] == got
    assert cuts >= CUTS
    check_stream(got)
    assert list(stream.events()) == got


def test_resume_replaces_the_one_before(alice: Client, held: ModelServer) -> None:
    conversation = alice.converse()
    run_id = alice.say(conversation, "hold").run_id
    with socket(alice, conversation) as chat:
        chat.hello()
        for _ in range(3):
            chat.send("resume", runId=run_id, after=0)
            assert chat.until("message.delta")["runId"] == run_id
        held.release.set()
        events = chat.run()[1]
    seqs = [event.seq for event in events]
    first = seqs[0]
    assert seqs.count(first) == 3
    check_stream(events[len(seqs) - 1 - seqs[::-1].index(first) :])


@pytest.mark.req("RUN-4")
def test_fifty_sockets_hold_no_thread(
    server: RunningServer, alice: Client, held: ModelServer
) -> None:
    conversation = alice.converse()
    before = server.threads()
    with ExitStack() as opened:
        chats = [opened.enter_context(socket(alice, conversation)) for _ in range(50)]
        for chat in chats:
            chat.hello()
        stream = alice.say(conversation, "hold")
        heads = [chat.until("message.delta") for chat in chats]
        assert server.threads() <= before + 10  # the bridge's, which are not per socket
        assert {head["seq"] for head in heads} == {heads[0]["seq"]}
        held.release.set()
        whole = list(stream.events())
        assert all(chat.run() == (stream.run_id, whole) for chat in chats)
