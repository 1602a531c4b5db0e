"""A conversation with a message, and a form in it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Conversation, Message
from apps.forms.effects import record_form
from apps.forms.models import FormInstance
from apps.lib.clock import now
from apps.lib.ids import new_id
from apps.tools.registry import UiEffect
from apps.tools.session import EffectTarget
from tests import factories

STUDENT_FORM: dict[str, Any] = {
    "title": "新增学生",
    "description": "请填写学生资料。",
    "fields": [
        {"name": "name", "label": "姓名", "type": "text", "required": True},
        {"name": "age", "label": "年龄", "type": "number", "min": 3, "max": 18},
        {"name": "boarder", "label": "住校", "type": "switch"},
    ],
}
SUMMARY = "已提交「新增学生」表单：姓名=张三，年龄=5，住校=未填写"
VALUES = {"name": "张三", "age": 5.0}

Render = Callable[..., FormInstance]


@pytest.fixture
def agent(alice: User) -> Agent:
    """Live, with the form tool alone; alice may use it."""
    agent = factories.make_agent(alice.organisation, tools=("render_form",))
    factories.grant(alice, agent, "use_agent")
    return factories.publish(agent)


@pytest.fixture
def conversation(alice: User, agent: Agent) -> Conversation:
    return Conversation.objects.create(
        user=alice, agent=agent, locked_skill_key="assistant", created_at=now()
    )


@pytest.fixture
def message(conversation: Conversation) -> Message:
    """The answer in which the forms stand."""
    return Message.objects.create(
        conversation=conversation,
        role=Message.Role.ASSISTANT,
        metadata={"kept": True},
        created_at=now(),
    )


def target_of(message: Message, tool_call_id: str | None = None) -> EffectTarget:
    return EffectTarget(
        conversation_id=message.conversation_id,
        run_id=new_id(),
        message_id=message.pk,
        tool_call_id=tool_call_id or new_id(),
    )


@pytest.fixture
def render(message: Message) -> Render:
    """Renders the student form, or another, in that message."""

    def render(asked: dict[str, Any] = STUDENT_FORM) -> FormInstance:
        with transaction.atomic():
            shown = record_form(target_of(message), UiEffect(kind="form", payload=asked))
        return FormInstance.objects.get(pk=shown["id"])

    return render


@pytest.fixture
def form(render: Render) -> FormInstance:
    return render()
