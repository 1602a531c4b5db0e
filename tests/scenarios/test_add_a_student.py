"""The story of the product: alice adds a student through a form, over HTTP, on a running server.

Told twice with the same words: once the built-in demo model answers, once an independent mock of
the model API, asked by the official client.
"""

from typing import Any

import pytest

from tests.grammar import check_stream
from tests.server import RunningServer, manage
from tests.wire_client import Client, Event, Stream

WISH = "帮我新增一个学生"
VALUES = {"name": "张小雨", "studentNo": "S2026100", "gender": "female"}


@pytest.mark.req("RUN-3", "FORM-3", "FORM-6")
def test_alice_adds_a_student_through_a_form(server: RunningServer) -> None:
    alice = Client(server).sign_in("alice")
    conversation = alice.converse("assistant")

    # She says what she wants, and the agent answers with a form.
    asked = _played(alice.say(conversation, WISH))
    assert _called(asked) == ["render_form"]
    form = _form_after_its_call(asked)
    assert form["status"] == "pending"
    assert {"name", "studentNo", "gender"} <= {field["name"] for field in form["fields"]}
    assert _forms_in_history(alice, conversation) == [form]

    # What is wrong is told by field, and the form stays as it is.
    refused = alice.submit(conversation, form["id"], {"gender": "blue"}).answer()
    assert (refused.status, refused.code) == (400, "validation")
    assert set(refused.json()["errors"]) == {"name", "gender"}
    assert _forms_in_history(alice, conversation) == [form]

    # She fills it in, and the answer to her submission is a new run, which creates the student.
    submitted = _played(alice.submit(conversation, form["id"], VALUES))
    user = submitted[0].data
    assert user["role"] == "user"
    assert user["metadata"]["uiFormSubmission"] == {"formId": form["id"], "values": VALUES}
    assert VALUES["name"] in user["content"]
    assert _called(submitted) == ["create_student"]
    (created,) = [event.data for event in submitted if event.name == "tool.completed"]
    assert created["ok"]
    assert VALUES["name"] in _said(submitted)

    # The student exists, and history shows the form submitted, with its summary.
    assert _students(server) == "张小雨 female"
    (shown,) = _forms_in_history(alice, conversation)
    assert shown["status"] == "submitted"
    assert VALUES["name"] in shown["submittedSummary"]
    roles = [message["role"] for message in alice.messages(conversation)]
    assert roles == ["user", "assistant", "user", "assistant"]

    # A second submission finds the form submitted.
    again = alice.submit(conversation, form["id"], VALUES).answer()
    assert (again.status, again.code) == (409, "form_submitted")


def _played(stream: Stream) -> list[Event]:
    """The whole stream, which keeps the grammar and ends well."""
    events = list(stream.events())
    check_stream(events)
    assert events[-1].name == "run.completed"
    assert events[-1].data["status"] == "completed", events
    return events


def _called(events: list[Event]) -> list[str]:
    return [event.data["name"] for event in events if event.name == "tool.started"]


def _form_after_its_call(events: list[Event]) -> dict[str, Any]:
    names = [event.name for event in events]
    place = names.index("ui.form")
    assert names[place - 1] == "tool.completed"
    form: dict[str, Any] = events[place].data["form"]
    assert form["id"] == events[place - 1].data["toolCallId"]
    return form


def _said(events: list[Event]) -> str:
    (completed,) = [event.data for event in events if event.name == "message.completed"]
    return str(completed["content"])


def _forms_in_history(alice: Client, conversation: str) -> list[Any]:
    shown = [message["metadata"].get("uiForms", []) for message in alice.messages(conversation)]
    return [form for forms in shown for form in forms]


def _students(server: RunningServer) -> str:
    """Whom the database knows under this number, asked past the product."""
    query = (
        "from apps.students.models import Student; "
        "print(*(f'{s.name} {s.gender}' for s in Student.objects.filter(student_no='S2026100')))"
    )
    return manage(server.environment, "shell", "-v", "0", "-c", query).strip()
