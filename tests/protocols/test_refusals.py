"""The order in which a streaming POST is refused, check by check, from outside.

Each request breaks a rule and one that is checked later: the earlier one must answer. And nothing
may be stored.
"""

import json
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.protocols.model_server import ModelServer
from tests.server import RunningServer, manage, running
from tests.wire_client import API, Answer, Client

LARGE = b'{"padding":"' + b"x" * 1_200_000 + b'"}'
pytestmark = pytest.mark.req("RUN-3")


@pytest.fixture(scope="module")
def conversation(alice: Client) -> str:
    return alice.converse()


@pytest.fixture(scope="module")
def strangers(server: RunningServer) -> str:
    """A conversation of bob's."""
    return Client(server).sign_in("bob").converse()


def post(client: Client, conversation: str, body: Any = None, **headers: str) -> Answer:
    own = {name.replace("_", "-"): value for name, value in headers.items()}
    return client.stream(f"{API}{conversation}/stream", body, headers=own).answer()


def asked(content: Any = "你好", **fields: Any) -> dict[str, Any]:
    return {"content": content, "clientRequestId": str(uuid.uuid4()), **fields}


def nothing_stored(alice: Client, conversation: str) -> bool:
    active = alice.get(f"{API}{conversation}/")["activeRun"]
    return not alice.messages(conversation) and active is None


def test_huge_body_comes_before_authentication(server: RunningServer, conversation: str) -> None:
    answer = Client(server).stream(
        f"{API}{conversation}/stream", headers={"Content-Length": "20000000"}
    )
    assert (answer.status, answer.answer().code) == (413, "payload_too_large")


def test_authentication_comes_before_size(server: RunningServer, conversation: str) -> None:
    answer = post(Client(server), conversation, LARGE)
    assert (answer.status, answer.code) == (401, "not_authenticated")
    assert answer.headers["www-authenticate"] == "Token"


@pytest.mark.parametrize("key", ["", "wrong", "\x80"])
def test_unknown_token_is_not_authenticated(alice: Client, conversation: str, key: str) -> None:
    """Also beside a good session: who names a token is judged by it."""
    answer = post(
        alice, conversation, asked(), Authorization=f"Token {key}".encode().decode("latin-1")
    )
    assert (answer.status, answer.code) == (401, "not_authenticated")


@pytest.mark.parametrize("token", ["", "x" * 64])
def test_csrf_comes_before_size(alice: Client, conversation: str, token: str) -> None:
    answer = post(alice, conversation, LARGE, X_CSRFToken=token)
    assert (answer.status, answer.code) == (403, "csrf_failed")


def test_foreign_origin_is_refused(alice: Client, conversation: str) -> None:
    answer = post(alice, conversation, asked(), Origin="http://elsewhere.example")
    assert (answer.status, answer.code) == (403, "csrf_failed")
    assert nothing_stored(alice, conversation)


def test_form_content_does_not_break_the_csrf_check(alice: Client, conversation: str) -> None:
    answer = post(alice, conversation, b"x", X_CSRFToken="", Content_Type="multipart/form-data")
    assert (answer.status, answer.code) == (403, "csrf_failed")


def test_unknown_host_is_refused(alice: Client, conversation: str) -> None:
    answer = post(alice, conversation, asked(), Host="evil.example")
    assert answer.status == 400
    assert answer.code


def test_size_comes_before_the_conversation(alice: Client, strangers: str) -> None:
    answer = post(alice, strangers, LARGE)
    assert (answer.status, answer.code) == (413, "payload_too_large")


@pytest.mark.parametrize("place", ["foreign", "missing", "nul%00", "%F0%9F%98%80"])
def test_own_conversation_comes_before_contents(alice: Client, strangers: str, place: str) -> None:
    answer = post(alice, strangers if place == "foreign" else place, b"{broken")
    assert (answer.status, answer.code) == (404, "not_found")


def test_right_comes_before_contents(server: RunningServer) -> None:
    """The right is asked for at each request: approver had it when the conversation began."""
    approver = Client(server).sign_in("approver")
    conversation = approver.converse()
    take_away = (
        "from guardian.models import UserObjectPermission as P; "
        "P.objects.filter(user__username='approver', permission__codename='use_agent').delete()"
    )
    manage(server.environment, "shell", "-v", "0", "-c", take_away)
    answer = post(approver, conversation, b"{broken")
    assert (answer.status, answer.code) == (403, "permission_denied")
    assert nothing_stored(approver, conversation)


DEEP = b'{"content":' + b"[" * 2000 + b"]" * 2000 + b"}"
BODIES = {
    "empty": b"",
    "broken": b'{"content": "x"',
    "not UTF-8": b'{"content": "\xff"}',
    "an array": b"[]",
    "null": b"null",
    "NaN": b'{"content": NaN}',
    "beyond double": b'{"content": 1e400}',
    "too many digits": b'{"content": ' + b"9" * 5000 + b"}",
    "deep": DEEP,
    "very deep": b"[" * 400_000,
    "byte order mark": b"\xef\xbb\xbf{}",
    "UTF-16": '{"content": "x"}'.encode("utf-16"),
    "half a character as a name": b'{"\\ud800": 1}',
    "NUL as a name": b'{"\\u0000": 1}',
}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_no_json_object_is_told(alice: Client, conversation: str, name: str) -> None:
    answer = post(alice, conversation, BODIES[name])
    assert (answer.status, answer.code) == (400, "validation")
    assert nothing_stored(alice, conversation)


@pytest.mark.parametrize("given", [None, 5, "", "x", "{}", "\ud800", "0" * 32])
def test_request_id_must_be_a_uuid(alice: Client, conversation: str, given: Any) -> None:
    answer = post(alice, conversation, {"content": "x", "clientRequestId": given})
    assert (answer.status, answer.code) == (400, "validation")
    assert list(answer.json()["errors"]) == ["clientRequestId"]


CONTENTS: dict[str, dict[str, Any]] = {
    "content": {"content": 5},
    "skillKey": {"skillKey": "a\x00b"},
    "attachments": {"attachments": ["nowhere"]},
}


@pytest.mark.parametrize("field", CONTENTS)
def test_contents_are_refused_by_field(alice: Client, conversation: str, field: str) -> None:
    answer = post(alice, conversation, asked() | CONTENTS[field])
    assert (answer.status, answer.code) == (400, "validation")
    assert list(answer.json()["errors"]) == [field]
    assert nothing_stored(alice, conversation)


def test_half_characters_in_a_field_are_refused(alice: Client, conversation: str) -> None:
    body = json.dumps(asked(skillKey="\ud800")).encode()
    answer = post(alice, conversation, body)
    assert (answer.status, answer.code) == (400, "validation")


def test_unusable_characters_in_a_text_are_replaced(alice: Client) -> None:
    conversation = alice.converse()
    stream = alice.say(conversation, "a\x00b\ud83d!")
    assert next(stream.events()).data["content"] == "a\ufffdb\ufffd!"


def test_refusals_speak_the_callers_language(server: RunningServer, conversation: str) -> None:
    def title(language: str) -> str:
        answer = post(Client(server), conversation, asked(), Accept_Language=language)
        return str(answer.json()["title"])

    assert title("zh-CN") == title("fr") == "未登录"


# A run is open -----------------------------------------------------------------------------------


@pytest.mark.req("RUN-8")
def test_open_run_comes_before_contents(alice: Client, held: ModelServer) -> None:
    conversation = alice.converse()
    first = alice.say(conversation, "hold")
    refused = alice.say(conversation, 5).answer()
    assert (refused.status, refused.code) == (409, "run_in_progress")
    held.release.set()
    assert list(first.events())[-1].data["status"] == "completed"
    assert len(alice.messages(conversation)) == 2


@pytest.mark.req("FORM-5")
def test_form_comes_before_the_open_run(alice: Client, held: ModelServer) -> None:
    conversation = alice.converse()
    events = list(alice.say(conversation, "form").events())
    (form,) = [event.data["form"] for event in events if event.name == "ui.form"]
    first = alice.say(conversation, "hold")
    missing = alice.submit(conversation, "nowhere", {"name": "甲"}).answer()
    assert (missing.status, missing.code) == (404, "not_found")
    busy = alice.submit(conversation, form["id"], 5).answer()
    assert (busy.status, busy.code) == (409, "run_in_progress")
    held.release.set()
    list(first.events())
    wrong = alice.submit(conversation, form["id"], {"age": 99}).answer()
    assert (wrong.status, set(wrong.json()["errors"])) == (400, {"name", "age"})
    fine = alice.submit(conversation, form["id"], {"name": "甲"})
    assert list(fine.events())[-1].data["status"] == "completed"


@pytest.mark.req("RUN-7")
def test_known_id_comes_before_the_open_run(alice: Client, held: ModelServer) -> None:
    conversation, request_id = alice.converse(), str(uuid.uuid4())
    first = alice.say(conversation, "hold", clientRequestId=request_id)
    other = alice.say(conversation, "else", clientRequestId=request_id).answer()
    assert (other.status, other.code) == (422, "request_id_conflict")
    again = alice.say(conversation, "hold", clientRequestId=request_id)
    assert again.run_id == first.run_id
    held.release.set()
    assert list(again.events()) == list(first.events())
    assert len(alice.messages(conversation)) == 2


@pytest.mark.req("RUN-7")
def test_request_id_belongs_to_the_thing_submitted(alice: Client) -> None:
    """The same id for a text and for a form are two bodies."""
    conversation, request_id = alice.converse(), str(uuid.uuid4())
    events = list(alice.say(conversation, "form", clientRequestId=request_id).events())
    (form,) = [event.data["form"] for event in events if event.name == "ui.form"]
    answer = alice.submit(conversation, form["id"], {"name": "甲"}, clientRequestId=request_id)
    assert answer.answer().code == "request_id_conflict"


# The limiter -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def limited(model: ModelServer) -> Iterator[RunningServer]:
    with running(OPENAI_BASE_URL=model.url, RUNS_PER_MINUTE="1") as served:
        yield served


def test_limit_comes_before_the_form_and_after_known_ids(limited: RunningServer) -> None:
    alice = Client(limited).take_token("alice")
    conversation, request_id = alice.converse(), str(uuid.uuid4())
    first = list(alice.say(conversation, "你好", clientRequestId=request_id).events())
    refused = alice.submit(conversation, "nowhere", {}).answer()
    assert (refused.status, refused.code) == (429, "rate_limited")
    assert 0 < int(refused.headers["retry-after"]) <= 60
    again = alice.say(conversation, "你好", clientRequestId=request_id)
    assert list(again.events()) == first
    assert len(alice.messages(conversation)) == 2
