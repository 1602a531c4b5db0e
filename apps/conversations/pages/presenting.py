"""What the templates of the chat page are given."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from django.http import HttpRequest
from django.middleware.csrf import get_token
from django.urls import reverse
from django.utils.translation import get_language

from apps.conversations.models import Conversation, Message, Run
from apps.conversations.pages.agents import AgentView
from apps.conversations.pages.form_cards import FormCard, blank_fields
from apps.conversations.pages.message_cards import (
    EndLine,
    ErrorCard,
    MessageCard,
    TextPart,
    message_cards,
)
from apps.conversations.pages.texts import client_texts, composer_hint
from apps.conversations.pages.tool_cards import ToolCard
from apps.conversations.pages.tool_words import tool_words
from apps.conversations.services.text import MAX_CHARACTERS

SHOWN = 200
BLANK: Mapping[str, Any] = {
    "message_user": MessageCard(role=Message.Role.USER),
    "message_assistant": MessageCard(status=Message.Status.PENDING),
    "text": TextPart(),
    "tool": ToolCard(),
    "form": FormCard(),
    "error": ErrorCard(),
    "ended": EndLine(),
}
"""What the page's `<template>` elements are rendered with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """The messages shown, oldest first; `older` is the id to go on from, None at the start."""

    messages: Sequence[MessageCard] = ()
    older: int | str | None = None


def history_of(conversation: Conversation, *, before: int | None) -> History:
    """The newest messages, or those before an id; answers that were given anew are left out."""
    rows = Message.objects.filter(conversation_id=conversation.pk)
    rows = rows.exclude(metadata__has_key="supersededBy")
    if before is not None:
        rows = rows.filter(pk__lt=before)
    newest = list(rows.order_by("-pk")[: SHOWN + 1])
    cards = message_cards(newest[:SHOWN][::-1], get_language() or "")
    return History(messages=cards, older=cards[0].id if len(newest) > SHOWN else None)


def active_run(conversation: Conversation) -> dict[str, Any] | None:
    """The run that is queued, running or waiting."""
    open_runs = Run.objects.filter(conversation_id=conversation.pk, status__in=Run.OPEN)
    run = open_runs.only("pk", "message_id").first()
    return {"runId": run.pk, "messageId": run.message_id} if run else None


def chat_config(
    request: HttpRequest, agent: AgentView, conversation: Conversation | None, run: Any
) -> dict[str, Any]:
    """What the client is told at the start; `ID` in an address stands for the conversation."""
    told = asdict(agent)
    return {
        "conversationId": conversation and conversation.pk,
        "agent": {key: told[key] for key in AGENT_KEYS},
        "activeRun": run,
        "csrfToken": get_token(request),
        "urls": {
            "socket": "/ws/chat/ID/",
            "api": reverse("conversations"),
            "page": reverse("chat", args=["ID"]),
            "signIn": reverse("accounts:login"),
        },
        "texts": client_texts(),
        "tools": tool_words(),
        "limits": {"content": MAX_CHARACTERS},
    }


AGENT_KEYS = ("code", "name", "welcome", "suggestions", "version", "demo")


def page_parts() -> dict[str, Any]:
    """What every page with a composer needs."""
    return {"blank": BLANK, "blank_fields": blank_fields(), "composer_hint": composer_hint()}
