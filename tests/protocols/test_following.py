"""Following a run from outside: cursors, other readers, readers that leave."""

import time

import pytest

from tests.grammar import check_stream
from tests.protocols.model_server import ModelServer
from tests.server import RunningServer
from tests.wire_client import API, Client, Event, wait_until

STREAM_HEADERS = {"x-gray-hit", "x-agent-version", "x-trace-id", "x-run-id"}


@pytest.mark.req("RUN-3")
def test_stream_tells_what_answers(alice: Client) -> None:
    stream = alice.say(alice.converse(), "你好")
    assert stream.headers["content-type"].startswith("text/event-stream")
    assert set(stream.headers) >= STREAM_HEADERS
    assert stream.headers["x-gray-hit"] == "false"
    assert stream.headers["x-agent-version"] == "2"
    check_stream(list(stream.events()))


@pytest.mark.req("RUN-9")
def test_every_cursor_gives_the_same_bytes(alice: Client) -> None:
    conversation = alice.converse()
    stream = alice.say(conversation, "count 12 0.05")
    whole = list(stream.events())
    check_stream(whole)
    frames = bytes(stream.raw).split(b"\n\n")[:-1]
    for after in (0, *(event.seq for event in whole)):
        replay = alice.follow(conversation, stream.run_id, after)
        rest = [event for event in whole if event.seq > after]
        assert list(replay.events()) == rest
        expected = b"".join(frame + b"\n\n" for frame in frames[len(frames) - len(rest) :])
        assert bytes(replay.raw) == expected


@pytest.mark.req("RUN-9")
def test_run_goes_on_without_its_reader(alice: Client) -> None:
    conversation = alice.converse()
    stream = alice.say(conversation, "count 40 0.02")
    seen = [event for _, event in zip(range(5), stream.events(), strict=False)]
    stream.close()
    rest = list(alice.follow(conversation, stream.run_id, seen[-1].seq).events())
    check_stream(seen + rest)
    assert rest[-1].data["status"] == "completed"
    assert _text(seen + rest) == "".join(f"词{place} " for place in range(40)).strip()


def _text(events: list[Event]) -> str:
    return "".join(e.data["delta"] for e in events if e.name == "message.delta").strip()


@pytest.mark.req("RUN-9")
def test_two_readers_see_the_same(alice: Client) -> None:
    conversation = alice.converse()
    first = alice.say(conversation, "count 30 0.02")
    second = alice.follow(conversation, first.run_id)
    assert list(second.events()) == list(first.events())


@pytest.mark.req("RUN-9")
def test_cuts_lose_nothing_and_double_nothing(alice: Client) -> None:
    conversation = alice.converse()
    stream = alice.say(conversation, "count 120 0.01")
    got: list[Event] = []
    cuts = 0
    while not got or got[-1].name != "run.completed":
        for event in stream.events():
            got.append(event)
            if len(got) % 4 == 0 and cuts < 30:
                break
        stream.close()
        cuts += 1
        stream = alice.follow(conversation, stream.run_id, got[-1].seq)
    stream.close()
    assert cuts >= 15
    check_stream(got)


@pytest.mark.req("RUN-9")
def test_fifty_streams_hold_no_thread(
    server: RunningServer, alice: Client, held: ModelServer
) -> None:
    conversation = alice.converse()
    first = alice.say(conversation, "hold")
    before = server.threads()
    others = [alice.follow(conversation, first.run_id) for _ in range(50)]
    heads = [next(other.events()) for other in others]
    assert server.threads() <= before + 8  # the threads of the bridge, which are not per stream
    held.release.set()
    whole = list(first.events())
    assert all(head == whole[0] for head in heads)
    assert all(list(other.events()) == whole[1:] for other in others)


@pytest.mark.parametrize("cursor", ["x", "-1", "1.5", "9" * 30])
def test_bad_cursor_is_refused(alice: Client, cursor: str) -> None:
    conversation = alice.converse()
    run_id = alice.say(conversation, "你好").run_id
    path = f"{API}{conversation}/runs/{run_id}/events"
    by_header = alice.stream(path, method="GET", headers={"Last-Event-ID": cursor}).answer()
    by_query = alice.stream(f"{path}?after={cursor}", method="GET").answer()
    assert by_header.code == by_query.code == "validation"


def test_foreign_and_missing_runs_answer_alike(server: RunningServer, alice: Client) -> None:
    conversation, other = alice.converse(), alice.converse()
    run_id = alice.say(conversation, "你好").run_id
    bob = Client(server).take_token("bob")
    refused = [
        bob.follow(conversation, run_id),
        alice.follow(other, run_id),
        alice.follow(conversation, "nowhere"),
        alice.follow(conversation, "%00"),
        alice.follow("nowhere", run_id),
    ]
    assert {stream.answer().code for stream in refused} == {"not_found"}
    nobody = Client(server).follow(conversation, run_id).answer()
    assert (nobody.status, nobody.code) == (401, "not_authenticated")


def test_token_needs_no_csrf(server: RunningServer) -> None:
    program = Client(server).take_token("alice")
    assert not program.cookies
    conversation = program.converse()
    assert list(program.say(conversation, "你好").events())[-1].data["status"] == "completed"


@pytest.mark.req("RUN-9")
def test_open_page_can_find_its_run(alice: Client, held: ModelServer) -> None:
    """A reload: the conversation names its run, whose events come from the start."""
    conversation = alice.converse()
    alice.say(conversation, "hold").close()
    active = alice.get(f"{API}{conversation}/")["activeRun"]
    assert active["status"] == "running"
    again = alice.follow(conversation, active["runId"])
    held.release.set()
    check_stream(list(again.events()))
    wait_until(lambda: alice.get(f"{API}{conversation}/")["activeRun"] is None, 5)


def test_refusals_equal_their_rest_twins(server: RunningServer, alice: Client) -> None:
    """The same refusal in the same words, whether REST framework or the stream gives it."""
    conversation = alice.converse()
    nobody, wrong = Client(server), {"X-CSRFToken": "x" * 64}
    pairs = [
        (nobody.request("GET", f"{API}{conversation}/"), nobody.say(conversation, "x").answer()),
        (alice.request("GET", f"{API}nowhere/"), alice.say("nowhere", "x").answer()),
        (
            alice.request("POST", API, {"agent": "assistant"}, wrong),
            alice.stream(f"{API}{conversation}/stream", {}, headers=wrong).answer(),
        ),
        (
            alice.request("POST", API, b"{broken"),
            alice.stream(f"{API}{conversation}/stream", b"{broken").answer(),
        ),
        (
            alice.request("POST", API, b"x" * 1_100_000),
            alice.stream(f"{API}{conversation}/stream", b"x" * 1_100_000).answer(),
        ),
    ]
    for twin, streamed in pairs:
        assert twin.code == streamed.code
        assert _comparable(twin.json()) == _comparable(streamed.json())


def _comparable(problem: dict[str, object]) -> dict[str, object]:
    return {name: value for name, value in problem.items() if name != "trace_id"}


def test_disconnected_readers_are_forgotten(server: RunningServer, alice: Client) -> None:
    conversation = alice.converse()
    first = alice.say(conversation, "count 60 0.02")
    for _ in range(20):
        alice.follow(conversation, first.run_id).close()
    started = time.monotonic()
    assert list(first.events())[-1].data["status"] == "completed"
    assert time.monotonic() - started < 10
