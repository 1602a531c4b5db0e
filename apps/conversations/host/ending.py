"""How a leg that came to its end is told and kept."""

from collections.abc import Mapping
from typing import Any

from apps.conversations.error_texts import error_text
from apps.conversations.host.active import ActiveRun
from apps.conversations.host.loading import LoadedRun
from apps.conversations.host.telling import Telling, elapsed_ms
from apps.conversations.limit_texts import limit_text
from apps.conversations.stream import encode
from apps.conversations.stream.encode import Fact
from apps.conversations.units import RunEnd
from apps.runtime.events import ErrorRaised
from apps.runtime.progress import PARAGRAPH


def last_words(loaded: LoadedRun, telling: Telling) -> str:
    """What is said when a bound ended the run, behind what the model said and in no block of it."""
    text = limit_text(
        telling.end.finish_reason if telling.end else None, loaded.session.actor.locale
    )
    return PARAGRAPH + text if text and telling.content() else text


def end_of(active: ActiveRun, telling: Telling, *, notice: str, html: str) -> RunEnd:
    """What row and message keep; a leg without its last event is a bug (LookupError)."""
    completed = telling.end
    if completed is None or completed.status == "interrupted":
        raise LookupError(f"a leg of run {active.fence.run_id} ended without an end of the run")
    return RunEnd(
        status=completed.status,
        content=telling.content() + notice,
        html=html,
        finish_reason=completed.finish_reason or "",
        error_code=telling.error.code if telling.error else "",
        usage=completed.usage,
        first_token_ms=telling.first_token_ms,
        total_ms=elapsed_ms(active),
    )


def last_facts(
    loaded: LoadedRun,
    end: RunEnd,
    *,
    notice: str,
    metadata: Mapping[str, Any],
    error: ErrorRaised | None,
) -> list[Fact]:
    """Last words, the message, why it failed if it did, and the end; always in this order."""
    session = loaded.session
    message = encode.message_completed(
        message_id=session.message_id,
        content=end.content,
        html=end.html,
        metadata=metadata,
        usage=end.usage,
    )
    completed = encode.run_completed(
        run_id=session.run_id,
        status=end.status,
        finish_reason=end.finish_reason or None,
        usage=end.usage,
    )
    said = [encode.message_delta(session.message_id, notice)] if notice else []
    if error is None:
        return [*said, message, completed]
    why = encode.error(
        code=error.code,
        message=error_text(error.code, loaded.session.actor.locale, retry_after=error.retry_after),
        retryable=error.retryable,
        trace_id=session.trace_id,
    )
    return [*said, message, why, completed]
