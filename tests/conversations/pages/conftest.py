"""alice at the page, and what is said in her conversation."""

import json
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Block, Conversation, Message, Run
from apps.conversations.services.conversations import create_conversation
from apps.conversations.step_payload import payload_of, step_key
from apps.lib.clock import now
from apps.lib.ids import new_id
from apps.lib.markdown import render_markdown
from apps.runtime.messages import ToolCall, Usage
from apps.runtime.steps import Step
from apps.tools.models import ToolRun
from tests.conversations.pages.markup import Node, parse

See = Callable[..., Node]
CSP = "Content-Security-Policy"


@pytest.fixture
def see(client: Client, alice: User) -> See:
    """The page at an address as alice sees it, in Chinese unless told."""
    client.force_login(alice)

    def seen(path: str, *, language: str = "zh-hans") -> Node:
        answer = client.get(path, headers={"accept-language": language})
        assert answer.status_code == 200, answer
        return parse(answer.content.decode())

    return seen


@pytest.fixture
def conversation(alice: User, assistant: Agent) -> Conversation:
    return create_conversation(actor=Actor.of(alice), agent_code=assistant.code)


def ask(conversation: Conversation, text: str = "hello", **metadata: Any) -> Message:
    return Message.objects.create(
        conversation=conversation, role="user", content=text, metadata=metadata, created_at=now()
    )


def answer(
    conversation: Conversation,
    *steps: tuple[str, list[dict[str, Any]]],
    status: str = "completed",
    error_code: str = "",
    finish_reason: str = "",
    asked: Message | None = None,
) -> Message:
    """An answer as a host leaves it: texts, each with the calls that followed it."""
    text = "".join(said for said, _calls in steps)
    message = Message.objects.create(
        conversation=conversation,
        role="assistant",
        status=status,
        content=text,
        html=render_markdown(text) if text else "",
        agent_version="1",
        created_at=now(),
    )
    run = Run.objects.create(
        conversation=conversation,
        user=conversation.user,
        user_message=asked,
        message=message,
        client_request_id=uuid4(),
        status="running" if status == "pending" else status,
        agent_code=conversation.agent.code,
        agent_version="1",
        variant="published",
        surface="chat",
        trace_id="f" * 32,
        error_code=error_code,
        finish_reason=finish_reason,
        created_at=now(),
    )
    Message.objects.filter(pk=message.pk).update(run_id=run.pk)
    for index, (said, calls) in enumerate(steps):
        _step(run, message, index, said, calls)
    return Message.objects.get(pk=message.pk)


def _step(run: Run, message: Message, index: int, said: str, calls: list[dict[str, Any]]) -> None:
    made = [_call(run, message, index, place, call) for place, call in enumerate(calls)]
    step = Step(
        index=index,
        text=said,
        reasoning="",
        calls=tuple(made),
        finish_reason="stop",
        usage=Usage(prompt=1, completion=1),
    )
    Block.objects.create(
        conversation=run.conversation,
        run_id=run.pk,
        kind="step",
        key=step_key(index),
        payload=payload_of(step),
        created_at=now(),
    )


def _call(run: Run, message: Message, step: int, index: int, call: dict[str, Any]) -> ToolCall:
    usual = {"status": "succeeded", "ok": True, "name": "look", "duration_ms": 92}
    fields: dict[str, Any] = {**usual, **call}
    arguments = fields.pop("arguments", {})
    result = fields.pop("result", None)
    row = ToolRun.objects.create(
        tool_call_id=fields.pop("id", "") or new_id(),
        run_id=run.pk,
        conversation_id=run.conversation_id,
        message_id=message.pk,
        step=step,
        index=index,
        arguments=json.dumps(arguments),
        result="" if result is None else json.dumps(result),
        audit_id=new_id(),
        user_id=run.user_id,
        organisation_id=run.user.organisation_id,
        agent=run.agent_code,
        trace_id=run.trace_id,
        created_at=now(),
        **fields,
    )
    return ToolCall(id=row.tool_call_id, name=row.name, arguments=arguments)


FORM: dict[str, Any] = {
    "title": "Add a student",
    "description": "All about one student.",
    "fields": [
        {"name": "name", "label": "Name", "type": "text", "required": True, "placeholder": "Ann"},
        {"name": "note", "label": "Note", "type": "textarea"},
        {"name": "age", "label": "Age", "type": "number", "min": 3, "max": 19.5},
        {
            "name": "group",
            "label": "Class",
            "type": "select",
            "options": [{"label": "3A", "value": 1}, {"label": "One", "value": "1"}],
        },
        {"name": "born", "label": "Born", "type": "date"},
        {"name": "boards", "label": "Boards", "type": "switch", "required": True},
    ],
}


def form_in(conversation: Conversation, form: dict[str, Any] = FORM, **state: Any) -> Message:
    """An answer with a form; `state` as the projection has it."""
    message = answer(
        conversation, ("Please fill in:", [{"id": "form0000001", "name": "render_form"}])
    )
    shown = {"id": "form0000001", **form, "status": "pending", **state}
    Message.objects.filter(pk=message.pk).update(metadata={"uiForms": [shown]})
    return message
