"""GET /api/agents/ and POST /api/agents/{code}/publish/."""

import base64
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Organisation, User
from apps.agents.api.views import AgentPages
from apps.agents.models import Agent, PublishRecord
from tests import factories

pytestmark = pytest.mark.django_db


def publish(client: Client, code: str, body: Any) -> Any:
    return client.post(f"/api/agents/{code}/publish/", body, content_type="application/json")


@pytest.mark.req("AGENT-2")
def test_the_list_shows_agents_as_they_are_live(
    client: Client, alice: User, assistant: Agent, draft: Agent
) -> None:
    Agent.objects.filter(pk=assistant.pk).update(name="Changed", welcome="Changed")
    factories.grant(alice, draft, "use_agent")
    client.force_login(alice)
    assert client.get("/api/agents/").json() == {
        "results": [
            {
                "code": "assistant",
                "name": "assistant",
                "icon": "",
                "welcome": "Hello.",
                "suggestions": [],
                "version": 1,
            }
        ],
        "next": None,
    }


def test_the_list_leaves_out_what_is_foreign_or_off(
    client: Client, carol: User, alice: User, assistant: Agent
) -> None:
    client.force_login(carol)
    assert client.get("/api/agents/").json()["results"] == []
    factories.grant(carol, assistant, "use_agent")
    assert client.get("/api/agents/").json()["results"] == []
    Agent.objects.filter(pk=assistant.pk).update(shared=True)
    assert len(client.get("/api/agents/").json()["results"]) == 1
    Agent.objects.filter(pk=assistant.pk).update(state=Agent.State.DISABLED)
    assert client.get("/api/agents/").json()["results"] == []


def test_a_stranger_is_asked_to_sign_in(client: Client, draft: Agent) -> None:
    assert client.get("/api/agents/").status_code == 401
    assert publish(client, "helper", {}).status_code == 401


def test_publishing_answers_the_live_version(client: Client, publisher: User, draft: Agent) -> None:
    client.force_login(publisher)
    assert publish(client, "helper", {"note": "go"}).json() == {"version": 1}
    assert publish(client, "helper", {}).json() == {"version": 1}
    assert PublishRecord.objects.get().note == "go"


def test_publishing_says_what_is_missing(client: Client, publisher: User, draft: Agent) -> None:
    draft.tools.create(name="gone_tool")
    client.force_login(publisher)
    answer = publish(client, "helper", {})
    assert answer.status_code == 400
    assert answer["Content-Type"] == "application/problem+json"
    assert answer.json()["code"] == "not_publishable"
    assert "gone_tool" in answer.json()["errors"]["tools"][0]


@pytest.mark.parametrize(
    ("name", "status"), [("operator", 403), ("carol", 404), ("stranger", 404), ("root", 200)]
)
def test_foreign_and_missing_answer_alike(
    client: Client,
    draft: Agent,
    organisation: Organisation,
    request: pytest.FixtureRequest,
    name: str,
    status: int,
) -> None:
    if name == "stranger":
        user = factories.make_user("stranger", organisation)
    else:
        user = request.getfixturevalue(name)
    client.force_login(user)
    answer = publish(client, "helper", {})
    assert answer.status_code == status
    if status == 404:
        missing = publish(client, "no-such-agent", {})
        ours, theirs = (one.json() | {"trace_id": ""} for one in (answer, missing))
        assert ours == theirs


@pytest.mark.parametrize("note", ["a\x00b", "half \ud800", ["x"] * 1000, "x" * 2001, {"a": 1}])
def test_a_note_that_cannot_be_is_refused(
    client: Client, publisher: User, draft: Agent, note: Any
) -> None:
    client.force_login(publisher)
    answer = publish(client, "helper", {"note": note})
    assert answer.status_code == 400
    assert not PublishRecord.objects.exists()


def _encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "cursor", ["", "x", "!!", "é", _encoded("p=a"), _encoded("o=1"), _encoded("p=" + "9" * 30)]
)
def test_bad_cursors_are_refused(client: Client, alice: User, cursor: str) -> None:
    client.force_login(alice)
    answer = client.get("/api/agents/", {"cursor": cursor})
    assert answer.status_code == 400
    assert (answer.json()["code"], list(answer.json()["errors"])) == ("validation", ["cursor"])


def test_pages_follow_their_own_cursors(
    client: Client, alice: User, assistant: Agent, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(AgentPages, "page_size", 1)
    second = factories.make_agent(assistant.organisation, "second", provider=assistant.provider)
    factories.publish(second)
    factories.grant(alice, second, "use_agent")
    client.force_login(alice)
    first = client.get("/api/agents/").json()
    rest = client.get(first["next"]).json()
    found = [one["code"] for page in (first, rest) for one in page["results"]]
    assert (found, rest["next"]) == (["second", "assistant"], None)
