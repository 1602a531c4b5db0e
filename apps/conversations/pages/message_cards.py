"""Messages as the page shows them, a page at a time: the number of queries is fixed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, ClassVar, TypeAlias

from django.utils.safestring import SafeString, mark_safe

from apps.conversations.api.shapes import message_items
from apps.conversations.error_texts import error_text
from apps.conversations.models import Message, Run
from apps.conversations.pages.agents import version_text
from apps.conversations.pages.form_cards import FormCard, form_card
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


Part: TypeAlias = TextPart | ToolCard | FormCard | ErrorCard


@dataclass(frozen=True, slots=True, kw_only=True)
class MessageCard:
    """One message; an answer has parts, what a person wrote has content."""

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
    values = _submitted_values(items)
    errors = _errors_of([item["id"] for item in items if item["status"] == "failed"], locale)
    return [_card(item, values, errors) for item in items]


def _card(
    item: Mapping[str, Any],
    values: Mapping[str, Mapping[str, Any]],
    errors: Mapping[int, ErrorCard],
) -> MessageCard:
    answer = item["role"] == Message.Role.ASSISTANT
    pending = item["status"] == Message.Status.PENDING
    parts = [] if pending or not answer else list(_parts(item, values))
    if item["id"] in errors:
        parts.append(errors[item["id"]])
    return MessageCard(
        id=item["id"],
        role=item["role"],
        status=item["status"],
        run_id=item["runId"] or "",
        content=item["content"],
        is_submission="uiFormSubmission" in item["metadata"],
        parts=parts,
        version=version_text(item["agentVersion"] or ""),
        created_at=item["createdAt"],
    )


def _parts(item: Mapping[str, Any], values: Mapping[str, Mapping[str, Any]]) -> Iterator[Part]:
    """In the order of the stream: texts and calls, each form behind the call that asked for it."""
    calls = {call["toolCallId"]: call for call in item["toolRuns"]}
    forms = {form["id"]: form for form in item["metadata"].get("uiForms", ())}
    for part in _said(item):
        if isinstance(part, TextPart):
            yield part
            continue
        if call := calls.pop(part, None):
            yield tool_card(call)
        if form := forms.pop(part, None):
            yield form_card(form, values.get(part))
    for form_id, form in forms.items():
        yield form_card(form, values.get(form_id))


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


def _errors_of(message_ids: Sequence[int], locale: str) -> dict[int, ErrorCard]:
    """By message: the error its run ended with."""
    if not message_ids:
        return {}
    runs = Run.objects.filter(message_id__in=message_ids)
    return {
        run.message_id: ErrorCard(
            code=run.error_code,
            message=error_text(run.error_code, locale),
            trace_id=run.trace_id,
        )
        for run in runs.only("message_id", "error_code", "trace_id")
    }
