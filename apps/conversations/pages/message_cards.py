"""Messages as the page shows them, a page at a time: the number of queries is fixed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from django.db.models import Q
from django.utils.safestring import SafeString, mark_safe

from apps.conversations.api.shapes import message_items
from apps.conversations.error_texts import error_text
from apps.conversations.models import Message, Run
from apps.conversations.pages.agents import version_text
from apps.conversations.pages.end_texts import end_texts
from apps.conversations.pages.form_cards import FormCard, form_card
from apps.conversations.pages.submissions import submission_text
from apps.conversations.pages.tool_cards import ToolCard, tool_card
from apps.lib.markdown import render_markdown


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPart:
    """A stretch of an answer, rendered and sanitised."""

    template: ClassVar = "chat/text.html"
    html: SafeString = SafeString()  # noqa: RUF009, immutable


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorCard:
    """What happened and what to do; `trace_id` is what an administrator asks for."""

    template: ClassVar = "chat/error.html"
    code: str = ""
    message: str = ""
    action: str = ""
    trace_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class EndLine:
    """That an answer was cut off, and why."""

    template: ClassVar = "chat/ended.html"
    reason: str = ""
    text: str = ""


ENDED = (Message.Status.COMPLETED, Message.Status.FAILED)
Part: TypeAlias = TextPart | ToolCard | FormCard | ErrorCard | EndLine


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCard:
    """One message; an answer has parts, what a person wrote has content.

    `is_submission`: the content is the stored sentence of a form that is not at hand, in Chinese.
    """

    id: int | str = ""
    role: str = Message.Role.ASSISTANT
    status: str = Message.Status.COMPLETED
    run_id: str = ""
    content: str = ""
    is_submission: bool = False
    parts: Sequence[Part] = field(default_factory=tuple)
    version: str = ""
    created_at: datetime | None = None


def message_cards(messages: Sequence[Message], locale: str) -> list[MessageCard]:
    """The cards of these messages, oldest first."""
    items = message_items(messages)
    shown = _Shown(
        forms={form["id"]: form for item in items for form in item["metadata"].get("uiForms", ())},
        values=_submitted_values(items),
        earlier=_earlier_values(items),
        ends=_ends_of([item["id"] for item in items if item["status"] in ENDED], locale),
    )
    return [_card(item, shown) for item in items]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shown:
    """What the messages of a page say of each other: forms, what was filled in, how runs ended."""

    forms: Mapping[str, Mapping[str, Any]]
    values: Mapping[str, Mapping[str, Any]]
    earlier: Mapping[int, Mapping[str, Any]]
    ends: Mapping[int, Part]


def _card(item: Mapping[str, Any], shown: _Shown) -> MessageCard:
    answer = item["role"] == Message.Role.ASSISTANT
    pending = item["status"] == Message.Status.PENDING
    parts = [] if pending or not answer else list(_parts(item, shown))
    if item["id"] in shown.ends:
        parts.append(shown.ends[item["id"]])
    submission = item["metadata"].get("uiFormSubmission")
    form = shown.forms.get(submission["formId"]) if submission else None
    return MessageCard(
        id=item["id"],
        role=item["role"],
        status=item["status"],
        run_id=item["runId"] or "",
        content=submission_text(form, submission["values"]) if form else item["content"],
        is_submission=bool(submission) and form is None,
        parts=parts,
        version=version_text(item["agentVersion"] or ""),
        created_at=item["createdAt"],
    )


def _parts(item: Mapping[str, Any], shown: _Shown) -> Iterator[Part]:
    """In the order of the stream: texts and calls, each form behind the call that asked for it."""
    calls = {call["toolCallId"]: call for call in item["toolRuns"]}
    cards = {
        form["id"]: form_card(form, shown.values.get(form["id"]), shown.earlier[item["id"]])
        for form in item["metadata"].get("uiForms", ())
    }
    for part in _said(item):
        if isinstance(part, TextPart):
            yield part
            continue
        if call := calls.pop(part, None):
            yield tool_card(call)
        if card := cards.pop(part, None):
            yield card
    yield from cards.values()


def _said(item: Mapping[str, Any]) -> Iterator[TextPart | str]:
    """Texts as parts and calls as their ids; one text alone has been rendered at its end."""
    texts = [part for part in item["parts"] if part["type"] == "text"]
    if not texts and item["content"]:
        yield TextPart(html=_trusted(item["html"] or _rendered(item["content"])))
    for part in item["parts"]:
        if part["type"] == "tool":
            yield part["toolCallId"]
        elif len(texts) == 1 and item["html"] and part["text"] == item["content"]:
            yield TextPart(html=_trusted(item["html"]))
        else:
            yield TextPart(html=_trusted(_rendered(part["text"])))


def _trusted(html: str) -> SafeString:
    """Only for what `render_markdown` made."""
    return mark_safe(html)  # noqa: S308


@lru_cache(maxsize=1024)
def _rendered(text: str) -> str:
    return render_markdown(text)


def _submitted_values(items: Sequence[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """By form: what was filled in, from the messages that submitted it."""
    submissions = [item["metadata"].get("uiFormSubmission") for item in items]
    return {one["formId"]: one["values"] for one in submissions if one}


def _earlier_values(items: Sequence[Mapping[str, Any]]) -> dict[int, Mapping[str, Any]]:
    """By message: what the form held that it answers; nothing where it answers something else."""
    found: dict[int, Mapping[str, Any]] = {}
    values: Mapping[str, Any] = {}
    for item in items:
        if item["role"] == Message.Role.USER:
            values = item["metadata"].get("uiFormSubmission", {}).get("values", {})
        found[item["id"]] = values
    return found


def _ends_of(message_ids: Sequence[int], locale: str) -> dict[int, Part]:
    """By message: the error its run ended with, or that it was cut off."""
    if not message_ids:
        return {}
    runs = Run.objects.filter(message_id__in=message_ids)
    runs = runs.filter(Q(status=Run.Status.FAILED) | Q(finish_reason__in=end_texts()))
    fields = ("message_id", "status", "error_code", "finish_reason", "trace_id")
    return {run.message_id: _end_of(run, locale) for run in runs.only(*fields)}


def _end_of(run: Run, locale: str) -> Part:
    if run.status != Run.Status.FAILED:
        return EndLine(reason=run.finish_reason, text=end_texts()[run.finish_reason])
    return ErrorCard(
        code=run.error_code,
        message=error_text(run.error_code, locale),
        trace_id=run.trace_id,
    )
