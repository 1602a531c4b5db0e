"""What the business refuses is told in the language of the page, and the form comes again."""

import re
import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from tests.grammar import check_stream
from tests.server import RunningServer, running
from tests.wire_client import API, Client, Event

HAN = re.compile(r"[\u4e00-\u9fff]")
ENGLISH = {"Accept-Language": "en"}
TAKEN = {"name": "Ann", "studentNo": "S2026001", "gender": "female"}


@pytest.fixture(scope="module")
def server() -> Iterator[RunningServer]:
    with running() as served:
        yield served


def alice(server: RunningServer, **headers: str) -> Client:
    return Client(server, headers=headers).sign_in("alice")


def played(client: Client, path: str, body: dict[str, Any]) -> list[Event]:
    asked = {**body, "clientRequestId": str(uuid.uuid4())}
    events = list(client.stream(f"{API}{path}/stream", asked).events())
    check_stream(events)
    return events


def refused(client: Client, wish: str, values: dict[str, Any] = TAKEN) -> list[Event]:
    """The run that follows a form filled in with a number that somebody has."""
    conversation = client.converse("assistant")
    asked = played(client, conversation, {"content": wish})
    form = form_in(asked)
    return played(client, f"{conversation}/forms/{form['id']}/submit", {"values": values})


def form_in(events: list[Event]) -> dict[str, Any]:
    (form,) = [event.data["form"] for event in events if event.name == "ui.form"]
    return dict(form)


def told(events: list[Event]) -> str:
    (text,) = [
        event.data["errorMessage"]
        for event in events
        if event.name == "tool.completed" and not event.data["ok"]
    ]
    return str(text)


@pytest.mark.req("RUN-3")
def test_a_refusal_is_told_in_the_language_of_the_page(server: RunningServer) -> None:
    assert told(refused(alice(server, **ENGLISH), "add a student")) == (
        "Student number: This student number exists already"
    )
    assert told(refused(alice(server), "帮我新增一个学生")) == "学号: 该学号已存在"


def test_what_was_chosen_in_the_browser_rules(server: RunningServer) -> None:
    client = alice(server)
    client.cookies["django_language"] = "en"
    assert not HAN.search(told(refused(client, "add a student")))


@pytest.mark.req("FORM-10")
def test_a_refused_submission_brings_the_form_again(server: RunningServer) -> None:
    client = alice(server, **ENGLISH)
    conversation = client.converse("assistant")
    first = form_in(played(client, conversation, {"content": "add a student"}))
    again = played(client, f"{conversation}/forms/{first['id']}/submit", {"values": TAKEN})
    called = [event.data["name"] for event in again if event.name == "tool.started"]
    assert called == ["create_student", "render_form"]
    (said,) = [event.data["content"] for event in again if event.name == "message.completed"]
    assert said.startswith("Create student: student no: This student number exists already.")
    second = form_in(again)
    filled, faults = second.pop("filled"), second.pop("faults")
    assert {**second, "id": first["id"]} == first
    assert (filled, list(faults)) == (TAKEN, ["studentNo"])

    free = {"values": {**TAKEN, "studentNo": f"R{conversation}"}}
    done = played(client, f"{conversation}/forms/{second['id']}/submit", free)
    assert [event.data["ok"] for event in done if event.name == "tool.completed"] == [True]
