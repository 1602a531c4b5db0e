"""What is recorded and told of a call that does not succeed, by the kind of its end."""

import logging
from typing import assert_never

from apps.audit.sanitizer import sanitize
from apps.runtime.text import clean_text
from apps.tools.outcome import Broken, Failure, Forbidden, Mendable, Refusal, Tier, Wording
from apps.tools.stable_json import cut

logger = logging.getLogger(__name__)
TEXT_LIMIT = 2_000
_MENDABLE = ("quota", "unknown")


def refused(refusal: Refusal, wording: Wording, name: str = "") -> Failure:
    """Tier 2, but for what the model can act on: another name, another time."""
    text: str = getattr(wording, refusal.kind)
    if refusal.kind == "unknown":
        text = text.format(name=name[:64], names=", ".join(refusal.offered) or "–")
    if refusal.kind == "quota":
        text = text.format(seconds=refusal.retry_after)
    if refusal.kind == "unreadable":
        logger.warning("tool policy unreadable, call refused: %s", safe(refusal.detail))
    return Failure(
        status="refused",
        outcome="refused",
        text=safe(text),
        tier="1" if refusal.kind in _MENDABLE else "2",
        security="" if refusal.kind == "quota" else "refused",
        detail=refusal.detail,
    )


def misfit(reason: str) -> Failure:
    """The arguments do not parse or fit."""
    return Failure(status="failed", outcome="failed", text=safe(reason))


def late(seconds: float, wording: Wording) -> Failure:
    """The tool did not end in its time."""
    text = wording.timed_out.format(seconds=f"{seconds:g}")
    return Failure(status="timed_out", outcome="timed_out", text=text)


def failed(tier: Tier, wording: Wording, reference: str) -> Failure:
    """What the tool's own error becomes; `reference` is all that is told of a broken one."""
    match tier:
        case Forbidden(detail=detail):
            return refused(Refusal(kind="forbidden", detail=detail), wording)
        case Mendable(reason=reason):
            return Failure(status="failed", outcome="failed", text=safe(reason))
        case Broken(detail=detail):
            return Failure(
                status="failed",
                outcome="system_error",
                text=wording.broken.format(reference=reference),
                tier="3",
                security="system_error",
                detail=detail,
            )
        case _:
            assert_never(tier)


def safe(text: str) -> str:
    """Text that may leave: storable, sanitised, short."""
    return cut(sanitize(clean_text(text)), TEXT_LIMIT)
