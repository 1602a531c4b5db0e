"""The form tool through the whole gateway: governed, stored, then shown."""

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.conversations.models import Message
from apps.conversations.registry import record_effect
from apps.forms.models import FormInstance
from apps.forms.services.projection import shown_form
from apps.runtime.events import ToolCompleted, ToolEvent, ToolStarted, UiForm
from apps.runtime.messages import ToolCall
from apps.tools.models import ToolRun
from apps.tools.registry import catalogue
from apps.tools.testing import events_of, fake_session, invoke_tool
from tests import factories
from tests.forms.conftest import STUDENT_FORM

pytestmark = pytest.mark.django_db(transaction=True)
BAD_FORM = {"title": "t", "fields": [{"name": "a b", "label": "x", "type": "radio", "id": 1}]}


def call_in(message: Message, arguments: Mapping[str, Any], call_id: str) -> list[ToolEvent]:
    """The events of one call in the run that writes `message`."""
    tool = catalogue.get("render_form")
    assert tool is not None
    session = fake_session(
        Actor.of(message.conversation.user),
        conversation_id=message.conversation_id,
        message_id=message.pk,
        tools=(tool,),
        record_effect=record_effect,
    )
    call = ToolCall(id=call_id, name="render_form", arguments=arguments)
    return asyncio.run(events_of(session, call))


@pytest.mark.req("FORM-2", "FORM-3")
def test_the_form_follows_the_completed_call(message: Message) -> None:
    events = call_in(message, STUDENT_FORM, "call0000001")
    assert [type(event) for event in events] == [ToolStarted, ToolCompleted, UiForm]
    form = FormInstance.objects.get(pk="call0000001")
    assert isinstance(events[2], UiForm)
    assert events[2].form == shown_form(form)
    message.refresh_from_db()
    assert message.metadata["uiForms"] == [shown_form(form)]


@pytest.mark.req("FORM-2")
def test_the_call_succeeds_with_the_fixed_result(alice: User) -> None:
    answer = invoke_tool("render_form", STUDENT_FORM, Actor.of(alice))
    assert answer.data == {"status": "success", "message": "表单已生成，等待用户填写提交"}


@pytest.mark.req("FORM-2")
def test_a_bad_form_is_answered_and_not_stored(message: Message) -> None:
    events = call_in(message, BAD_FORM, "call0000001")
    assert [type(event) for event in events] == [ToolStarted, ToolCompleted]
    assert isinstance(events[1], ToolCompleted)
    assert "fields[0].name" in events[1].answer.error
    assert not FormInstance.objects.exists()
    assert ToolRun.objects.get().ok is False


@pytest.mark.req("FORM-11")
def test_rendering_needs_the_right_to_chat(alice: User) -> None:
    stranger = factories.make_user("stranger", alice.organisation)
    answer = invoke_tool("render_form", STUDENT_FORM, Actor.of(stranger))
    assert answer.ok is False
