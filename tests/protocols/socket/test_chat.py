"""The chat over a socket: hello, the actions, and every later run unasked."""

import uuid
from typing import Any

import pytest

from tests.grammar import check_stream
from tests.protocols.model_server import ModelServer
from tests.protocols.socket.sockets import Socket, socket
from tests.server import RunningServer
from tests.wire_client import API, Client, Event, wait_until

pytestmark = pytest.mark.req("RUN-4")


def names(events: list[Event]) -> list[str]:
    return [event.name for event in events]


def test_hello_comes_first(alice: Client) -> None:
    with socket(alice, alice.converse()) as chat:
        assert chat.hello() == {"activeRun": None, "agentVersion": "2", "grayHit": False}


def test_hello_names_the_open_run(alice: Client, held: ModelServer) -> None:
    conversation = alice.converse()
    run_id = alice.say(conversation, "hold").run_id
    message_id = alice.messages(conversation)[-1]["id"]
    with socket(alice, conversation) as chat:
        active = chat.hello()["activeRun"]
        assert active == {"runId": run_id, "messageId": message_id, "status": "running"}
        chat.send("resume", runId=run_id, after=0)
        held.release.set()
        assert chat.run() == (run_id, list(alice.follow(conversation, run_id).events()))


def test_sent_text_is_answered_as_over_sse(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("count 5 0.02")
        run_id, events = chat.run()
    check_stream(events)
    assert events == list(alice.follow(conversation, run_id).events())


def test_only_first_delta_names_its_run(alice: Client) -> None:
    with socket(alice, alice.converse()) as chat:
        chat.hello()
        for _ in range(2):
            chat.say("count 6 0.05")
            chat.run()
    framed = [frame for frame in chat.frames if "seq" in frame]
    deltas = [frame for frame in framed if frame["event"] == "message.delta"]
    named = [frame["runId"] for frame in deltas if "runId" in frame]
    assert len(deltas) > 4
    assert named == list(chat.events)
    assert all("runId" in frame for frame in framed if frame not in deltas)
    assert all(set(frame) <= {"seq", "event", "data", "runId"} for frame in framed)


def test_form_is_shown_and_submitted(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("form")
        _, asked = chat.run()
        (form,) = [event.data["form"] for event in asked if event.name == "ui.form"]
        wrong = {"formId": form["id"], "values": {"age": 99}, "clientRequestId": str(uuid.uuid4())}
        chat.send("submit_form", ref="first", **wrong)
        refused = chat.refused()
        assert (refused["ref"], set(refused["data"]["errors"])) == ("first", {"name", "age"})
        chat.send("submit_form", **(wrong | {"values": {"name": "甲"}}))
        _, events = chat.run()
    check_stream(events)
    submission = events[0].data["metadata"]["uiFormSubmission"]
    assert submission == {"formId": form["id"], "values": {"name": "甲"}}


def test_stop_keeps_what_was_said(alice: Client, held: ModelServer) -> None:
    with socket(alice, alice.converse()) as chat:
        chat.hello()
        chat.say("hold")
        run_id = chat.until("message.delta")["runId"]
        chat.send("stop", runId=run_id)
        _, events = chat.run()
    check_stream(events)
    assert events[-1].data["status"] == "cancelled"
    assert events[-2].data["content"].strip() == "held"


@pytest.mark.req("RUN-11")
def test_answer_is_regenerated_in_place_of_the_last(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("你好")
        chat.run()
        old = alice.messages(conversation)[-1]["id"]
        request = {"messageId": old, "clientRequestId": str(uuid.uuid4())}
        chat.send("regenerate", **request)
        run_id, events = chat.run()
        check_stream(events)
        assert names(events)[:2] == ["message.created", "message.delta"]
        assert events[0].data["role"] == "assistant"
        assert events[0].data["metadata"]["supersedes"] == old
        assert events[-2].data["metadata"] == events[0].data["metadata"]
        again = alice.stream(f"{API}{conversation}/regenerate/stream", request)
        assert (again.run_id, list(again.events())) == (run_id, events)
        chat.send("regenerate", **(request | {"clientRequestId": str(uuid.uuid4())}))
        assert chat.refused()["data"]["code"] == "not_last_message"
    shown = alice.messages(conversation)
    assert [one["role"] for one in shown] == ["user", "assistant", "assistant"]
    assert shown[1]["metadata"]["supersededBy"] == shown[2]["id"]
    assert shown[2]["content"] == "好"


@pytest.mark.req("RUN-11")
def test_regenerated_answer_is_streamed_over_sse(alice: Client) -> None:
    conversation = alice.converse()
    list(alice.say(conversation, "count 3 0.02").events())
    body = {
        "messageId": alice.messages(conversation)[-1]["id"],
        "clientRequestId": str(uuid.uuid4()),
    }
    with socket(alice, conversation) as chat:
        chat.hello()
        stream = alice.stream(f"{API}{conversation}/regenerate/stream", body)
        events = list(stream.events())
        assert chat.run() == (stream.run_id, events)
    check_stream(events)
    replay = list(alice.follow(conversation, stream.run_id).events())
    assert replay == events


@pytest.mark.req("RUN-7")
def test_known_request_is_shown_from_its_start(alice: Client) -> None:
    conversation, request_id = alice.converse(), str(uuid.uuid4())
    stream = alice.say(conversation, "count 3 0.02", clientRequestId=request_id)
    events = list(stream.events())
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("count 3 0.02", clientRequestId=request_id)
        assert chat.run() == (stream.run_id, events)
        chat.say("something else", clientRequestId=request_id)
        assert chat.refused()["data"]["code"] == "request_id_conflict"
    assert len(alice.messages(conversation)) == 2


@pytest.mark.req("RUN-9")
def test_run_of_another_tab_is_shown_unasked(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as mine, socket(alice, conversation) as other:
        mine.hello()
        other.hello()
        for _ in range(2):
            mine.say("count 4 0.02")
            assert mine.run() == other.run()
        stream = alice.say(conversation, "count 4 0.02")
        events = list(stream.events())
        assert mine.run() == other.run() == (stream.run_id, events)


@pytest.mark.req("RUN-9")
def test_run_of_another_process_is_shown_unasked(server: RunningServer, alice: Client) -> None:
    other = RunningServer(server.environment, "--no-worker")
    conversation = alice.converse()
    elsewhere = Client(other, cookies=dict(alice.cookies))
    try:
        with socket(alice, conversation) as chat:
            chat.hello()
            for text in ("count 10 0.05", "你好"):
                stream = elsewhere.say(conversation, text)
                events = list(stream.events())
                assert chat.run() == (stream.run_id, events)
    finally:
        other.close()


def test_run_between_look_and_watch_is_not_missed(alice: Client) -> None:
    """A run that begins while the socket is being opened is either told by hello, or shown."""
    conversation = alice.converse()
    for _ in range(8):
        stream = alice.say(conversation, "count 2 0.01")
        with socket(alice, conversation) as chat:
            active = chat.hello()["activeRun"]
            if active is not None:
                assert active["runId"] == stream.run_id
                chat.send("resume", runId=stream.run_id, after=0)
                check_stream(chat.run()[1])
        list(stream.events())


# Refusals ----------------------------------------------------------------------------------------

BODIES: dict[str, dict[str, Any]] = {
    "no request id": {"content": "x", "clientRequestId": "x"},
    "no text": {"content": 5},
    "empty": {"content": "  "},
    "skill": {"skillKey": "a\x00b"},
    "attachments": {"attachments": ["nowhere"]},
}


@pytest.mark.parametrize("name", BODIES)
def test_refusal_is_that_of_the_stream(alice: Client, name: str) -> None:
    conversation = alice.converse()
    body = {"content": "x", "clientRequestId": str(uuid.uuid4()), **BODIES[name]}
    twin = alice.stream(f"{API}{conversation}/stream", body).answer().json()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.send("send", ref="7", **body)
        refused = chat.refused()
    assert refused["ref"] == "7"
    assert {**refused["data"], "trace_id": ""} == {**twin, "trace_id": ""}
    assert alice.messages(conversation) == []


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"action": "dance"}, "validation"),
    ({"action": 7}, "validation"),
    ({}, "validation"),
    ({"action": "resolve", "interruptId": "x", "decision": "approve"}, "not_found"),
    ({"action": "resume", "runId": "nowhere"}, "not_found"),
    ({"action": "resume", "runId": 5}, "not_found"),
    ({"action": "stop", "runId": "nowhere"}, "not_found"),
    ({"action": "stop"}, "not_found"),
    ({"action": "ack", "runId": "x", "seq": "1"}, "validation"),
    ({"action": "submit_form", "values": {}, "clientRequestId": str(uuid.uuid4())}, "not_found"),
    ({"action": "regenerate", "messageId": 5, "clientRequestId": str(uuid.uuid4())}, "not_found"),
    ({"action": "regenerate", "clientRequestId": str(uuid.uuid4())}, "validation"),
]


def test_refused_actions_are_answered_and_nothing_ends(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        for frame, code in REFUSED:
            chat.send(**{"action": None, **frame, "ref": code})
            refused = chat.refused()
            assert (refused["ref"], refused["data"]["code"]) == (code, code), frame
        chat.say("你好")
        check_stream(chat.run()[1])


@pytest.mark.parametrize("after", ["1", -1, 1.5, True, None, 10**30])
def test_bad_cursor_is_refused(alice: Client, after: Any) -> None:
    conversation = alice.converse()
    run_id = alice.say(conversation, "你好").run_id
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.send("resume", runId=run_id, after=after)
        assert list(chat.refused()["data"]["errors"]) == ["after"]


def test_run_of_another_conversation_is_missing(alice: Client) -> None:
    run_id = alice.say(alice.converse(), "你好").run_id
    with socket(alice, alice.converse()) as chat:
        chat.hello()
        for action in ("resume", "stop"):
            chat.send(action, runId=run_id)
            assert chat.refused()["data"]["code"] == "not_found"


@pytest.mark.req("RUN-8")
def test_second_run_is_refused_while_one_is_open(alice: Client, held: ModelServer) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("hold")
        chat.until("message.delta")
        chat.say("again", ref="second")
        refused = chat.refused()
        assert (refused["ref"], refused["data"]["code"]) == ("second", "run_in_progress")
        held.release.set()
        chat.run()
    assert len(alice.messages(conversation)) == 2


@pytest.mark.case("STR-022")
def test_failed_run_is_told_once_and_as_failed(server: RunningServer, alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("fail")
        _, events = chat.run()
        check_stream(events)
        assert names(events)[-2:] == ["error", "run.completed"]
        assert events[-1].data["status"] == "failed"
        chat.say("你好")
        assert chat.run()[1][-1].data["status"] == "completed"
    assert alice.messages(conversation)[1]["status"] == "failed"


@pytest.mark.case("STR-002")
def test_live_order_is_that_of_the_history(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("form")
        _, events = chat.run()
    live = [kind_of(event) for event in events if event.name in ("message.delta", "tool.started")]
    parts = alice.messages(conversation)[-1]["parts"]
    assert [
        one for place, one in enumerate(live) if one != "text" or live[place - 1] != "text"
    ] == [part["type"] for part in parts]


def kind_of(event: Event) -> str:
    return "tool" if event.name == "tool.started" else "text"


@pytest.mark.case("STR-005")
def test_stop_hangs_up_on_the_model(alice: Client, model: ModelServer) -> None:
    model.hung_up.clear()
    with socket(alice, alice.converse()) as chat:
        chat.hello()
        chat.say("count 300 0.1")
        for _ in range(5):
            run_id = chat.until("message.delta").get("runId") or run_of(chat)
        chat.send("stop", runId=run_id)
        wait_until(model.hung_up.is_set, 3)
        _, events = chat.run()
    assert events[-1].data["status"] == "cancelled"
    assert events[-1].data["usage"] == {"promptTokens": None, "completionTokens": None}


def run_of(chat: Socket) -> str:
    (run_id,) = chat.events
    return run_id


@pytest.mark.case("STR-030")
def test_tab_with_an_old_view_claims_no_place(alice: Client) -> None:
    conversation = alice.converse()
    for _ in range(3):
        list(alice.say(conversation, "你好").events())
    before = alice.messages(conversation)
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("count 20 0.05", position=2, messageId=before[1]["id"])
        chat.until("message.delta")
    wait_until(lambda: alice.messages(conversation)[-1]["status"] == "completed", 10)
    after = alice.messages(conversation)
    assert after[:6] == before
    assert len(after) == 8
