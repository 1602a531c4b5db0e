"""End a run that cannot end by itself: its host is gone, or met a bug, or must go.

One path for all of them. It reads nothing but rows, so it works from any process: the text is
what the log holds, and the last events stand under an epoch of their own, so that whatever the
old holder still tries to write is refused.
"""

from dataclasses import dataclass, replace

from django.db import transaction
from django.db.models import QuerySet
from django.db.models.functions import Now

from apps.conversations.error_texts import error_text
from apps.conversations.host.transcript import Transcript, transcript_of, unfinished_text
from apps.conversations.models import Message, Run
from apps.conversations.stream import encode
from apps.conversations.stream.encode import Fact
from apps.conversations.stream.events import Batch, numbered
from apps.conversations.units import Fence, RunEnd, batch_row, insert_blocks, partial_row
from apps.lib.clock import now
from apps.lib.markdown import render_markdown
from apps.runtime.events import ToolCompleted
from apps.runtime.messages import ToolAnswer, Usage
from apps.tools.wiring import answers_of, close_open_calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """Why: `code` names the text that people read."""

    code: str
    retryable: bool


INTERRUPTED = Failure(code="run_interrupted", retryable=True)
INTERNAL = Failure(code="internal_error", retryable=True)


def fail_run(fence: Fence, failure: Failure) -> bool:
    """End the run as failed if the fence still holds; whether it did."""
    return _fail(_holding(fence), failure)


def fail_expired(fence: Fence) -> bool:
    """The same, if also its lease has run out by the database's clock."""
    return _fail(_holding(fence).filter(lease_until__lt=Now()), INTERRUPTED)


def _holding(fence: Fence) -> QuerySet[Run]:
    held = Run.objects.filter(pk=fence.run_id, epoch=fence.epoch, owner=fence.owner)
    return held.filter(status=Run.Status.RUNNING)


def _fail(holding: QuerySet[Run], failure: Failure) -> bool:
    with transaction.atomic():
        run = holding.select_related("user", "message").first()
        if run is None:
            return False
        # First of all take the run away from its holder; one row decides.
        run.epoch += 1
        if not holding.update(epoch=run.epoch, owner=""):
            return False
        close_open_calls(run.pk, error_text(failure.code, run.language))
        _write_end(run, failure, transcript_of(run.pk))
    return True


def _write_end(run: Run, failure: Failure, transcript: Transcript) -> None:
    text, message = transcript.text, run.message
    end = RunEnd(
        status=Run.Status.FAILED,
        content=text,
        html=render_markdown(text),
        error_code=failure.code,
        usage=Usage(),
        total_ms=_elapsed_ms(run),
    )
    Run.objects.filter(pk=run.pk).update(**end.run_fields())
    Message.objects.filter(pk=message.pk).update(**end.message_fields())
    facts = [*_open_calls(run, transcript), *_closing(run, failure, end)]
    batch_row(run.pk, Batch.of(numbered(run.epoch, facts))).save(force_insert=True)
    if partial := unfinished_text(run.pk, text):
        insert_blocks([partial_row(run.conversation_id, run.pk, partial)])


def _open_calls(run: Run, transcript: Transcript) -> list[Fact]:
    """An end for each call that was shown as started: what its row says by now."""
    answers = answers_of([run.pk])
    lost = ToolAnswer(ok=False, content="", error=error_text(INTERRUPTED.code, run.language))
    ended = [
        ToolCompleted(call=call, answer=answers.get(call.id, lost))
        for call in transcript.open_calls
    ]
    return [encode.tool_event(run.message_id, _with_error(event, lost.error)) for event in ended]


def _with_error(event: ToolCompleted, text: str) -> ToolCompleted:
    answer = event.answer
    if answer.ok or answer.error:
        return event
    return replace(event, answer=replace(answer, error=text))


def _closing(run: Run, failure: Failure, end: RunEnd) -> list[Fact]:
    return [
        encode.message_completed(
            message_id=run.message_id,
            content=end.content,
            html=end.html,
            metadata=run.message.metadata,
            usage=end.usage,
        ),
        encode.error(
            code=failure.code,
            message=error_text(failure.code, run.language),
            retryable=failure.retryable,
            trace_id=run.trace_id,
        ),
        encode.run_completed(run_id=run.pk, status=end.status, finish_reason=None, usage=end.usage),
    ]


def _elapsed_ms(run: Run) -> int | None:
    if run.started_at is None:
        return None
    return max(0, round((now() - run.started_at).total_seconds() * 1000))
