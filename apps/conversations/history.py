"""What the model is told of a conversation, read from its blocks alone."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.conversations.models import Block
from apps.conversations.step_payload import PARTIAL_KEY, step_of
from apps.runtime.messages import AssistantMessage, Message, ToolAnswer, ToolMessage, UserMessage
from apps.runtime.steps import RecordedStep, Step
from apps.tools.wiring import answers_of

Answers = Mapping[str, ToolAnswer]


def model_messages(conversation_id: str, run_id: str) -> tuple[Message, ...]:
    """All that was said before this run, and what started it; the run's own steps are not in it.

    Archived blocks are left out. Every call of an earlier step is answered: one whose answer was
    never stored says so, since vendors refuse a call without an answer.
    """
    blocks = Block.objects.filter(conversation_id=conversation_id, archived_at=None)
    earlier = list(blocks.exclude(run_id=run_id, kind=Block.Kind.STEP).order_by("id"))
    called = {block.run_id for block in earlier if block.kind == Block.Kind.STEP}
    answers = answers_of(sorted(called)) if called else {}
    return tuple(message for block in earlier for message in _told(block, answers))


def recorded_steps(run_id: str) -> tuple[RecordedStep, ...]:
    """The committed steps of a run in their order, each with the answers that are durable."""
    steps = [step_of(block.payload) for block in _steps([run_id]).exclude(key=PARTIAL_KEY)]
    answers = answers_of([run_id]) if any(step.calls for step in steps) else {}
    return tuple(_recorded(step, answers) for step in sorted(steps, key=lambda step: step.index))


def parts_by_run(run_ids: Iterable[str]) -> dict[str, list[dict[str, str]]]:
    """What each run said and called, item by item in the order of the live stream.

    `{type: text, text}` and `{type: tool, toolCallId}`.
    """
    parts: dict[str, list[dict[str, str]]] = {}
    for block in _steps(list(run_ids)):
        parts.setdefault(block.run_id, []).extend(_parts(step_of(block.payload)))
    return parts


def said_by(parts: Sequence[Mapping[str, str]]) -> str:
    """The text of an answer as its deltas add up."""
    return "".join(part["text"] for part in parts if part["type"] == "text")


def _steps(run_ids: Sequence[str]) -> Any:
    return Block.objects.filter(run_id__in=run_ids, kind=Block.Kind.STEP).order_by("id")


def _recorded(step: Step, answers: Answers) -> RecordedStep:
    known = {call.id: answers[call.id] for call in step.calls if call.id in answers}
    return RecordedStep(step=step, answers=known)


def _told(block: Block, answers: Answers) -> Iterable[Message]:
    if block.kind == Block.Kind.STEP:
        return _told_step(step_of(block.payload), answers)
    said = msgspec.json.decode(block.payload)
    return (UserMessage(content=said["content"], values=said.get("values")),)


def _told_step(step: Step, answers: Answers) -> Iterable[Message]:
    if not step.text and not step.calls:
        return
    yield AssistantMessage(content=step.text, reasoning=step.reasoning, calls=step.calls)
    for call in step.calls:
        answer = answers.get(call.id)
        content = answer.content if answer else _("没有结果：运行在这个调用完成之前结束了。")
        yield ToolMessage(call_id=call.id, name=call.name, content=content)


def _parts(step: Step) -> list[dict[str, str]]:
    said = [{"type": "text", "text": step.text}] if step.text else []
    return said + [{"type": "tool", "toolCallId": call.id} for call in step.calls]
