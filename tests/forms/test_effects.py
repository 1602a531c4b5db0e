"""A form is stored, and shown in the message it belongs to."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.db import connection, transaction

from apps.conversations.api.shapes import message_items
from apps.conversations.models import Message
from apps.conversations.registry import record_effect
from apps.forms.effects import record_form
from apps.forms.models import FormInstance
from apps.forms.services.projection import project, shown_form
from apps.lib.ids import new_id
from apps.tools.models import ToolRun
from apps.tools.registry import UiEffect
from tests.forms.conftest import STUDENT_FORM, Render, target_of

EFFECT = UiEffect(kind="form", payload=STUDENT_FORM)


@pytest.mark.req("FORM-2", "FORM-3")
def test_the_form_carries_the_call_as_id(message: Message) -> None:
    shown = record_effect(target_of(message, "call0000001"), EFFECT)
    assert shown == {"id": "call0000001", **STUDENT_FORM, "status": "pending"}


@pytest.mark.req("FORM-4")
def test_the_form_is_stored_with_its_message(message: Message, form: FormInstance) -> None:
    message.refresh_from_db()
    assert message.metadata == {"kept": True, "uiForms": [shown_form(form)]}
    assert (form.state, form.message_id) == (FormInstance.State.PENDING, message.pk)
    assert json.loads(form.schema) == STUDENT_FORM


@pytest.mark.req("FORM-3")
def test_recording_a_form_twice_keeps_one(message: Message, form: FormInstance) -> None:
    record_form(target_of(message, form.pk), EFFECT)
    message.refresh_from_db()
    assert [entry["id"] for entry in message.metadata["uiForms"]] == [form.pk]


def test_forms_of_a_message_keep_their_order(message: Message, render: Render) -> None:
    ids = [render().pk for _ in range(3)]
    record_form(target_of(message, ids[0]), EFFECT)
    message.refresh_from_db()
    assert [entry["id"] for entry in message.metadata["uiForms"]] == ids


@pytest.mark.django_db
def test_an_undone_call_leaves_no_form(message: Message) -> None:
    class UndoneError(Exception):
        """Ends the transaction."""

    def undone() -> None:
        with transaction.atomic():
            record_form(target_of(message), EFFECT)
            raise UndoneError

    with pytest.raises(UndoneError):
        undone()
    message.refresh_from_db()
    assert "uiForms" not in message.metadata
    assert not FormInstance.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_forms_at_once_both_stay(message: Message) -> None:
    barrier = Barrier(4)

    def record(_number: int) -> Any:
        barrier.wait()
        try:
            with transaction.atomic():
                return record_form(target_of(message), EFFECT)["id"]
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as pool:
        ids = set(pool.map(record, range(4)))
    message.refresh_from_db()
    assert {entry["id"] for entry in message.metadata["uiForms"]} == ids


@pytest.mark.req("FORM-4")
def test_history_shows_the_form(message: Message, form: FormInstance) -> None:
    (item,) = message_items([Message.objects.get(pk=message.pk)])
    assert item["metadata"]["uiForms"] == [shown_form(form)]


def refused_in(message: Message, run_id: str, error: str, **arguments: Any) -> None:
    """A call of that run that failed."""
    ToolRun.objects.create(
        tool_call_id=new_id(),
        run_id=run_id,
        conversation_id=message.conversation_id,
        message_id=message.pk,
        step=0,
        index=0,
        name="create_student",
        status=ToolRun.Status.FAILED,
        ok=False,
        arguments=json.dumps(arguments),
        content=json.dumps({"ok": False, "error": error}),
        error_message="姓名: 有误",
        audit_id=new_id(),
        user_id=message.conversation.user_id,
        organisation_id=message.conversation.user.organisation_id,
        created_at=message.created_at,
    )


@pytest.mark.req("FORM-10")
@pytest.mark.parametrize(
    ("error", "faults"),
    [
        ("age: 太大; name: 太长", {"age": "太大", "name": "太长"}),
        ("Correct them and try again: age: Too great: 99; odd: no", {"age": "Too great: 99"}),
    ],
)
def test_a_form_after_a_refused_call_says_what_was_wrong(
    message: Message, error: str, faults: dict[str, str]
) -> None:
    target = target_of(message)
    refused_in(message, target.run_id, error, name="Otto", age=99, odd=1)
    shown = record_form(target, EFFECT)
    assert shown["filled"] == {"name": "Otto", "age": 99}
    assert shown["faults"] == faults
    message.refresh_from_db()
    assert message.metadata["uiForms"] == [shown]

    form = FormInstance.objects.get(pk=shown["id"])
    form.state, form.summary = FormInstance.State.SUBMITTED, "x"
    assert not {"filled", "faults"} & {*project(form)}


def test_a_refusal_of_another_run_or_of_no_field_is_none_of_its_faults(message: Message) -> None:
    target = target_of(message)
    refused_in(message, new_id(), "age: 太大", age=99)
    refused_in(message, target.run_id, "权限不足", age=99)
    assert record_form(target, EFFECT) == {"id": target.tool_call_id, **STUDENT_FORM} | {
        "status": "pending"
    }
