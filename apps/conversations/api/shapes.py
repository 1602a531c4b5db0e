"""Rows as the JSON of the contract, a page at a time: the number of queries is fixed."""

from collections.abc import Sequence
from typing import Any

from apps.conversations import registry
from apps.conversations.history import parts_by_run, said_by
from apps.conversations.models import Conversation, Message, Run
from apps.tools.services.listing import tool_runs_of


def conversation_items(conversations: Sequence[Conversation]) -> list[dict[str, Any]]:
    """The conversations, with their agents selected, each with its open run."""
    ids = [conversation.pk for conversation in conversations]
    open_runs = Run.objects.filter(conversation_id__in=ids, status__in=Run.OPEN)
    active = {
        run.conversation_id: {"runId": run.pk, "status": run.status}
        for run in open_runs.only("conversation_id", "status")
    }
    return [_conversation_item(one, active.get(one.pk)) for one in conversations]


def message_items(messages: Sequence[Message]) -> list[dict[str, Any]]:
    """The messages with their calls, cards and parts."""
    answers = [message for message in messages if message.role == Message.Role.ASSISTANT]
    ids = [message.pk for message in answers]
    calls = tool_runs_of(ids)
    cards = {key: source(ids) for key, source in registry.message_cards.items()}
    parts = parts_by_run(message.run_id for message in answers if message.run_id)
    items = []
    for message in messages:
        said = parts.get(message.run_id, []) if message.role == Message.Role.ASSISTANT else []
        item = _message_item(message, _with_last_words(message, said))
        item["toolRuns"] = list(calls.get(message.pk, ()))
        item["metadata"] |= {
            key: list(by_id[message.pk]) for key, by_id in cards.items() if message.pk in by_id
        }
        items.append(item)
    return items


def _with_last_words(message: Message, parts: list[dict[str, str]]) -> list[dict[str, str]]:
    """What the message says beyond the model's steps: why a bound ended the answer."""
    said = said_by(parts)
    if not parts or len(message.content) <= len(said) or not message.content.startswith(said):
        return parts
    return [*parts, {"type": "text", "text": message.content[len(said) :]}]


def _conversation_item(
    conversation: Conversation, active_run: dict[str, str] | None
) -> dict[str, Any]:
    return {
        "id": conversation.pk,
        "agent": conversation.agent.code,
        "title": conversation.title,
        "variant": conversation.variant,
        "permissionMode": conversation.permission_mode,
        "planMode": conversation.plan_mode,
        "lockedSkillKey": conversation.locked_skill_key,
        "createdAt": conversation.created_at,
        "lastMessageAt": conversation.last_message_at,
        "activeRun": active_run,
    }


def _message_item(message: Message, parts: list[dict[str, str]]) -> dict[str, Any]:
    pending = message.status == Message.Status.PENDING
    return {
        "id": message.pk,
        "role": message.role,
        # What is committed of an answer is shown before the answer ends.
        "content": said_by(parts) if pending else message.content,
        "html": message.html,
        "status": message.status,
        "createdAt": message.created_at,
        "runId": message.run_id or None,
        "agentVersion": message.agent_version or None,
        "metadata": dict(message.metadata),
        "toolRuns": [],
        "interrupts": [],
        "parts": parts,
    }
