"""What the log says of a run: the text that people saw, and the calls without an end."""

from dataclasses import dataclass
from typing import Any

import msgspec

from apps.conversations.models import Block, EventBatch
from apps.conversations.step_payload import step_of
from apps.runtime.messages import ToolCall
from apps.runtime.progress import PARAGRAPH


@dataclass(frozen=True, slots=True, kw_only=True)
class Transcript:
    """The committed part of a run."""

    text: str
    open_calls: tuple[ToolCall, ...]


def transcript_of(run_id: str) -> Transcript:
    """A run's events are capped, so all of them may be read at once."""
    texts: list[str] = []
    calls: dict[str, ToolCall] = {}
    rows = EventBatch.objects.filter(run_id=run_id).order_by("first")
    for payload in rows.values_list("payload", flat=True):
        for _seq, name, data in _rows.decode(payload):
            match name:
                case "message.delta":
                    texts.append(data["delta"])
                case "message.restated":
                    texts = [data["content"]]
                case "tool.started":
                    calls[data["toolCallId"]] = _call(data)
                case "tool.completed":
                    calls.pop(data["toolCallId"], None)
    return Transcript(text="".join(texts), open_calls=tuple(calls.values()))


def unfinished_text(run_id: str, text: str) -> str:
    """What stands in the text behind the steps that are committed."""
    blocks = Block.objects.filter(run_id=run_id, kind=Block.Kind.STEP).order_by("pk")
    steps = [step_of(payload) for payload in blocks.values_list("payload", flat=True)]
    said = PARAGRAPH.join(step.text for step in steps if step.text)
    return text[len(said) :].removeprefix(PARAGRAPH) if text.startswith(said) else ""


def _call(data: dict[str, Any]) -> ToolCall:
    return ToolCall(id=data["toolCallId"], name=data["name"], arguments=data["arguments"])


_rows = msgspec.json.Decoder(list[tuple[int, str, dict[str, Any]]])
