"""The endpoints of conversations, as a client meets them."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations import registry
from apps.conversations.api import pages
from apps.conversations.models import Conversation, EventBatch, Message, Run
from apps.lib.clock import now
from apps.tools.models import ToolRun
from tests.conversations.store.support import commit, end, say, step

pytestmark = pytest.mark.django_db
ROOT = "/api/ai/chat/conversations/"


class Api:
    """Calls the API as one user, in English, and hands back status and JSON."""

    def __init__(self, user: User | None) -> None:
        self.client = Client(headers={"Accept-Language": "en"})
        if user is not None:
            self.client.force_login(user)

    def __call__(self, method: str, path: str = "", body: Any = None) -> tuple[int, Any]:
        url = path if path.startswith("http") else ROOT + path
        content = body if isinstance(body, str | bytes) else json.dumps(body)
        data = "" if body is None else content
        answer = self.client.generic(method, url, data, content_type="application/json")
        return answer.status_code, json.loads(answer.content) if answer.content else None


@pytest.fixture
def api(alice: User) -> Api:
    return Api(alice)


def talk(user: User, agent: Agent, *, minutes: int = 0, title: str = "") -> Conversation:
    moment = now() + timedelta(minutes=minutes)
    return Conversation.objects.create(user=user, agent=agent, created_at=moment, title=title)


def test_conversation_is_created(api: Api, assistant: Agent) -> None:
    status, body = api("POST", body={"agent": "assistant"})
    assert status == 201
    created = Conversation.objects.get(pk=body["id"])
    assert body == {
        "id": created.pk,
        "agent": "assistant",
        "title": "",
        "variant": "published",
        "permissionMode": "DEFAULT",
        "planMode": "OFF",
        "lockedSkillKey": "",
        "createdAt": created.created_at.isoformat().replace("+00:00", "Z"),
        "lastMessageAt": None,
        "activeRun": None,
    }
    assert api("GET", f"{created.pk}/") == (200, body)


@pytest.mark.parametrize(
    ("body", "paths"),
    [
        ({}, ["agent"]),
        ({"agent": 5}, ["agent"]),
        ({"agent": None}, ["agent"]),
        ({"agent": "assis\x00tant"}, ["agent"]),
        ('{"agent": "assistant\\ud83d"}', ["agent"]),
        ({"agent": "assistant", "variant": "live"}, ["variant"]),
        ({"agent": "assistant", "title": "x", "user": 1}, ["title", "user"]),
        ({"agent": "assistant", "lockedSkillKey": "x" * 65}, ["lockedSkillKey"]),
        ("[]", [""]),
        ("{", [""]),
        ("[" * 5000, [""]),
    ],
)
def test_unreadable_bodies_are_named(
    api: Api, assistant: Agent, body: Any, paths: list[str]
) -> None:
    status, problem = api("POST", body=body)
    assert (status, problem["code"]) == (400, "validation")
    assert sorted(problem["errors"]) == paths
    assert not Conversation.objects.exists()


def test_strangers_are_sent_away(assistant: Agent, conversation: Conversation) -> None:
    nobody = Api(None)
    for method, path in _all_routes(conversation.pk):
        status, problem = nobody(method, path, {} if method in {"POST", "PATCH"} else None)
        assert (status, problem["code"]) == (401, "not_authenticated")


def test_foreign_and_missing_answer_alike(bob: User, conversation: Conversation) -> None:
    api = Api(bob)
    for method, path in _all_routes(conversation.pk)[2:]:
        foreign = api(method, path)
        missing = api(method, path.replace(conversation.pk, "00000000000"))
        assert foreign[0] == missing[0] == 404
        assert foreign[1] | {"trace_id": ""} == missing[1] | {"trace_id": ""}


@pytest.mark.parametrize("path", ["a-b/", "a-b/messages/", "学/", "x" * 500 + "/"])
def test_odd_ids_are_not_found(api: Api, path: str) -> None:
    assert api("GET", path)[0] == 404


@pytest.mark.req("RUN-11")
def test_list_is_newest_first(api: Api, alice: User, bob: User, assistant: Agent) -> None:
    old, new = talk(alice, assistant, minutes=-5), talk(alice, assistant)
    talk(bob, assistant)
    status, body = api("GET")
    assert status == 200
    assert [item["id"] for item in body["results"]] == [new.pk, old.pk]
    assert body["next"] is None
    say(old)
    assert [item["id"] for item in api("GET")[1]["results"]] == [old.pk, new.pk]


@pytest.mark.req("RUN-11")
def test_list_pages_lose_nothing(
    api: Api, alice: User, assistant: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "CONVERSATIONS", 3)
    moment = now()
    made = [
        Conversation.objects.create(user=alice, agent=assistant, created_at=moment).pk
        for _ in range(8)
    ]
    found, path = [], ""
    while path is not None:
        body = api("GET", path)[1]
        found += [item["id"] for item in body["results"]]
        path = body["next"]
        talk(alice, assistant, minutes=1)  # what comes meanwhile shifts no page
    assert found == sorted(made, reverse=True)


@pytest.mark.parametrize("cursor", ["x", "AAAA", "MjAyNi0xMS0zMFQwMDowMDowMA==", "a b"])
def test_bad_cursors_are_refused(api: Api, cursor: str) -> None:
    status, problem = api("GET", f"?cursor={cursor}")
    assert (status, list(problem["errors"])) == (400, ["cursor"])


@pytest.mark.req("RUN-11")
@pytest.mark.parametrize("text", ["Budget", "bUDGET", "张伟", " 张伟 "])
def test_search_finds_titles_and_messages(
    api: Api, alice: User, bob: User, assistant: Agent, text: str
) -> None:
    titled = talk(alice, assistant, title="budget 张伟")
    said = talk(alice, assistant, minutes=1, title="other")
    say(said, "about the budget of 张伟")
    talk(alice, assistant, title="nothing")
    say(talk(bob, assistant), "budget 张伟")
    found = [item["id"] for item in api("GET", f"?q={text}")[1]["results"]]
    assert sorted(found) == sorted([titled.pk, said.pk])


def test_search_takes_wildcards_literally(api: Api, alice: User, assistant: Agent) -> None:
    talk(alice, assistant, title="100 %")
    talk(alice, assistant, title="nothing")
    assert len(api("GET", "?q=%25")[1]["results"]) == 1


@pytest.mark.parametrize("query", ["q=" + "x" * 201, "cursor=" + "x" * 201])
def test_oversized_queries_are_refused(api: Api, query: str) -> None:
    status, problem = api("GET", f"?{query}")
    assert (status, list(problem["errors"])) == (400, [query.partition("=")[0]])


@pytest.mark.req("RUN-11")
def test_conversation_is_renamed(api: Api, conversation: Conversation) -> None:
    status, body = api("PATCH", f"{conversation.pk}/", {"title": " new title "})
    assert (status, body["title"]) == (200, "new title")
    assert Conversation.objects.get().title == "new title"


@pytest.mark.parametrize("title", ["", "  ", None, 5, "x" * 201, "a\x00b", ["x"]])
def test_unusable_titles_are_refused(api: Api, conversation: Conversation, title: Any) -> None:
    status, problem = api("PATCH", f"{conversation.pk}/", {"title": title})
    assert (status, list(problem["errors"])) == (400, ["title"])


def test_modes_tighten_over_the_api(api: Api, conversation: Conversation) -> None:
    path = f"{conversation.pk}/"
    status, body = api("PATCH", path, {"permissionMode": "READ_ONLY", "planMode": "REQUIRED"})
    assert (status, body["permissionMode"], body["planMode"]) == (200, "READ_ONLY", "REQUIRED")
    status, problem = api("PATCH", path, {"permissionMode": "DEFAULT"})
    assert (status, list(problem["errors"])) == (400, ["permissionMode"])


@pytest.mark.req("RUN-11")
def test_conversation_is_deleted(api: Api, conversation: Conversation) -> None:
    say(conversation)
    assert api("DELETE", f"{conversation.pk}/") == (204, None)
    assert api("GET", f"{conversation.pk}/")[0] == 404
    assert not Run.objects.exists()


@pytest.mark.parametrize(("status", "shown"), [("running", True), ("completed", False)])
def test_open_run_is_shown(api: Api, conversation: Conversation, status: str, shown: bool) -> None:
    started = say(conversation)
    end(started, status)
    expected = {"runId": started.run_id, "status": status} if shown else None
    assert api("GET", f"{conversation.pk}/")[1]["activeRun"] == expected
    assert api("GET")[1]["results"][0]["activeRun"] == expected


def test_messages_have_the_contract_shape(api: Api, conversation: Conversation) -> None:
    started = say(conversation, "hello", skillKey="s")
    end(started, content="**hi**")
    Message.objects.filter(pk=started.message_id).update(
        html="<p>hi</p>", metadata={"uiForms": [{"id": "f"}]}
    )
    status, body = api("GET", f"{conversation.pk}/messages/")
    assert (status, body["next"]) == (200, None)
    user, assistant = body["results"]
    request_id = str(Run.objects.get().client_request_id)
    assert user | {"createdAt": ""} == {
        "id": started.message_id - 1,
        "role": "user",
        "content": "hello",
        "html": "",
        "status": "completed",
        "createdAt": "",
        "runId": started.run_id,
        "agentVersion": None,
        "metadata": {"clientRequestId": request_id, "skillKey": "s"},
        "toolRuns": [],
        "interrupts": [],
        "parts": [],
    }
    assert assistant | {"createdAt": ""} == {
        "id": started.message_id,
        "role": "assistant",
        "content": "**hi**",
        "html": "<p>hi</p>",
        "status": "completed",
        "createdAt": "",
        "runId": started.run_id,
        "agentVersion": "1",
        "metadata": {"uiForms": [{"id": "f"}]},
        "toolRuns": [],
        "interrupts": [],
        "parts": [],
    }
    assert user["createdAt"].endswith("Z")


@pytest.mark.case("STR-012")
@pytest.mark.parametrize("status", ["running", "cancelled", "failed"])
def test_finished_steps_survive_every_end(
    api: Api, conversation: Conversation, status: str
) -> None:
    started = say(conversation, "hello")
    commit(started, step(0, "one ", "c1"), step(1, "two"))
    _call(started.message_id, "c1")
    if status != "running":
        end(started, status, content="one two")
    user, answer = api("GET", f"{conversation.pk}/messages/")[1]["results"]
    assert user["content"] == "hello"
    assert answer["content"] == "one two"
    assert [part.get("toolCallId", part.get("text")) for part in answer["parts"]] == [
        "one ",
        "c1",
        "two",
    ]
    assert [call["toolCallId"] for call in answer["toolRuns"]] == ["c1"]


def test_messages_are_paged_oldest_first(
    api: Api, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "MESSAGES", 4)
    for turn in range(5):
        end(say(conversation, f"turn {turn}"))
    found, path = [], f"{conversation.pk}/messages/"
    while path is not None:
        body = api("GET", path)[1]
        assert len(body["results"]) <= 4
        found += [item["id"] for item in body["results"]]
        path = body["next"]
    assert found == list(Message.objects.order_by("pk").values_list("pk", flat=True))


@pytest.mark.parametrize("cursor", ["x", "-1", "9" * 30])
def test_bad_message_cursors_are_refused(api: Api, conversation: Conversation, cursor: str) -> None:
    assert api("GET", f"{conversation.pk}/messages/?cursor={cursor}")[0] == 400


def test_cards_of_upper_apps_join(
    api: Api, conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = say(conversation)
    cards = {"uiCards": lambda ids: {started.message_id: [{"of": ids}]}}
    monkeypatch.setattr(registry, "message_cards", cards)
    user, answer = api("GET", f"{conversation.pk}/messages/")[1]["results"]
    assert answer["metadata"] == {"uiCards": [{"of": [started.message_id]}]}
    assert "uiCards" not in user["metadata"]


@pytest.mark.req("RUN-5")
def test_queries_of_history_do_not_grow(
    api: Api, conversation: Conversation, django_assert_max_num_queries: Callable[..., Any]
) -> None:
    for turn in range(6):
        started = say(conversation)
        commit(started, step(0, "x", f"call{turn}"))
        _call(started.message_id, f"call{turn}")
        end(started)
    with django_assert_max_num_queries(8):
        api("GET", f"{conversation.pk}/messages/")


@pytest.mark.req("RUN-11")
def test_running_run_is_asked_to_stop(
    api: Api,
    conversation: Conversation,
    monkeypatch: pytest.MonkeyPatch,
    django_capture_on_commit_callbacks: Callable[..., Any],
) -> None:
    told: list[str] = []
    monkeypatch.setattr(registry, "stop_hints", [told.append])
    started = say(conversation, owner="host-1")
    path = f"{conversation.pk}/runs/{started.run_id}/stop"
    for _ in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            assert api("POST", path, {}) == (202, {"status": "stopping"})
    run = Run.objects.get()
    assert (run.status, run.cancel_requested) == ("running", True)
    assert told == [run.pk, run.pk]


@pytest.mark.case("STR-012")
@pytest.mark.req("RUN-11")
def test_queued_run_ends_at_once(api: Api, conversation: Conversation) -> None:
    started = say(conversation, "hello")
    path = f"{conversation.pk}/runs/{started.run_id}/stop"
    assert api("POST", path) == (200, {"status": "cancelled"})
    assert api("POST", path) == (200, {"status": "cancelled"})
    run = Run.objects.get()
    assert (run.status, run.epoch, run.owner) == ("cancelled", 1, "")
    assert run.finished_at is not None
    assert [message.status for message in Message.objects.order_by("pk")] == [
        "completed",
        "cancelled",
    ]
    events = json.loads(EventBatch.objects.get().payload)
    assert [name for _seq, name, _data in events] == [
        "message.created",
        "message.created",
        "message.completed",
        "run.completed",
    ]
    assert [seq for seq, _name, _data in events] == [10_000_001 + n for n in range(4)]
    assert events[-1][2]["status"] == "cancelled"
    assert not say(conversation, "again").replayed


def test_requeued_run_keeps_what_it_said(api: Api, conversation: Conversation) -> None:
    started = say(conversation, owner="host-1")
    commit(started, step(0, "half an answer"))
    Run.objects.update(status="queued", owner="")
    assert api("POST", f"{conversation.pk}/runs/{started.run_id}/stop")[0] == 200
    message = Message.objects.get(pk=started.message_id)
    assert (message.content, message.html) == ("half an answer", "<p>half an answer</p>\n")
    last = EventBatch.objects.order_by("first").last()
    assert last is not None
    assert last.first == 20_000_001
    assert [name for _seq, name, _data in json.loads(last.payload)] == [
        "message.completed",
        "run.completed",
    ]


@pytest.mark.parametrize("status", ["completed", "failed", "cancelled"])
def test_ended_run_says_how_it_ended(api: Api, conversation: Conversation, status: str) -> None:
    started = say(conversation)
    end(started, status)
    answer = api("POST", f"{conversation.pk}/runs/{started.run_id}/stop")
    assert answer == (200, {"status": status})
    assert not Run.objects.get().cancel_requested


def test_run_of_another_conversation_is_not_found(
    api: Api, conversation: Conversation, alice: User, assistant: Agent
) -> None:
    started = say(talk(alice, assistant))
    assert api("POST", f"{conversation.pk}/runs/{started.run_id}/stop")[0] == 404
    assert api("POST", f"{conversation.pk}/runs/a-b/stop")[0] == 404


def test_schema_describes_every_endpoint(admin_free_schema: dict[str, Any]) -> None:
    paths = admin_free_schema["paths"]
    one = f"{ROOT}{{conversation_id}}/"
    assert set(paths[ROOT]) == {"get", "post"}
    assert set(paths[one]) == {"get", "patch", "delete"}
    assert "get" in paths[f"{one}messages/"]
    assert set(paths[f"{one}runs/{{run_id}}/stop"]["post"]["responses"]) >= {"200", "202"}


@pytest.fixture
def admin_free_schema(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    """The schema of these endpoints alone; a warning while it is made fails the test."""
    from drf_spectacular.generators import SchemaGenerator  # noqa: PLC0415

    generator: Any = SchemaGenerator
    schema = generator(urlconf="tests.conversations.store.urls").get_schema(
        request=None, public=True
    )
    assert "Warning" not in capsys.readouterr().err
    return dict(schema)


def _all_routes(conversation_id: str) -> list[tuple[str, str]]:
    one = f"{conversation_id}/"
    return [
        ("GET", ""),
        ("POST", ""),
        ("GET", one),
        ("PATCH", one),
        ("DELETE", one),
        ("GET", f"{one}messages/"),
        ("POST", f"{one}runs/{uuid4().hex[:11]}/stop"),
    ]


def _call(message_id: int, call_id: str) -> None:
    ToolRun.objects.create(
        tool_call_id=call_id,
        run_id=call_id,
        conversation_id="c",
        message_id=message_id,
        step=0,
        index=0,
        name="look",
        status="succeeded",
        ok=True,
        result="{}",
        audit_id=call_id,
        user_id=1,
        organisation_id=1,
        agent="assistant",
        trace_id="0" * 32,
        created_at=now(),
    )
