"""What the runtime tells, as the events of the wire: a name and a JSON object in bytes.

The model's deltas are not here: the ring writes them, and only they are frequent.
"""

import json
from collections.abc import Mapping
from typing import Any, TypeAlias

from apps.runtime.events import (
    InterruptCreated,
    ToolCompleted,
    ToolEvent,
    ToolHeld,
    ToolStarted,
    UiForm,
)
from apps.runtime.messages import ToolAnswer, ToolCall, Usage

Fact: TypeAlias = tuple[str, bytes]
"""Name and data of an event that has no number yet."""


def message_created(
    *, message_id: int, role: str, content: str, metadata: Mapping[str, Any]
) -> Fact:
    return fact(
        "message.created", messageId=message_id, role=role, content=content, metadata=metadata
    )


def tool_event(message_id: int, event: ToolEvent) -> Fact:
    """One event of a call, told by the toolbox."""
    match event:
        case ToolStarted(call=call):
            return fact("tool.started", **_call(message_id, call), arguments=call.arguments)
        case ToolCompleted(call=call, answer=answer):
            return fact("tool.completed", **_call(message_id, call), **_outcome(answer))
        case ToolHeld(call=call):
            return fact("tool.held", **_call(message_id, call))
        case UiForm(form=form):
            return fact("ui.form", messageId=message_id, form=form)
        case InterruptCreated(interrupt=interrupt):
            return fact("interrupt.created", messageId=message_id, interrupt=interrupt)


def message_delta(message_id: int, text: str) -> Fact:
    """A piece of an answer that is not the model's: told with the facts beside it."""
    return fact("message.delta", messageId=message_id, delta=text)


def message_completed(
    *, message_id: int, content: str, html: str, metadata: Mapping[str, Any], usage: Usage
) -> Fact:
    return fact(
        "message.completed",
        messageId=message_id,
        content=content,
        html=html,
        metadata=metadata,
        usage=_usage(usage),
    )


def error(*, code: str, message: str, retryable: bool, trace_id: str) -> Fact:
    return fact("error", code=code, message=message, retryable=retryable, traceId=trace_id)


def run_completed(*, run_id: str, status: str, finish_reason: str | None, usage: Usage) -> Fact:
    return fact(
        "run.completed",
        runId=run_id,
        status=status,
        finishReason=finish_reason,
        usage=_usage(usage),
    )


def fact(name: str, /, **data: Any) -> Fact:
    """Members in the order given; a ValueError for NaN, which no client could read."""
    text = json.dumps(
        data, ensure_ascii=False, separators=(",", ":"), allow_nan=False, default=dict
    )
    return name, text.encode()


def _call(message_id: int, call: ToolCall) -> dict[str, Any]:
    return {"messageId": message_id, "toolCallId": call.id, "name": call.name}


def _outcome(answer: ToolAnswer) -> dict[str, Any]:
    told = {"result": answer.result} if answer.ok else {"errorMessage": answer.error}
    return {"ok": answer.ok, **told, "durationMs": answer.duration_ms}


def _usage(usage: Usage) -> dict[str, int | None]:
    """Unknown is null, never zero."""
    return {"promptTokens": usage.prompt, "completionTokens": usage.completion}
