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
from apps.forms.services.projection import shown_form
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
