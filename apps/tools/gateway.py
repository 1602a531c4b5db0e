"""The one way to a tool, also for built-in and remote ones.

audit.before (committed) → permission and mode policy → confirmation → arguments → call →
error tiers and sanitising → outcome and audit.after (committed) → metric.

Default deny: a policy that raises, is late or answers nonsense refuses. A call that was completed
is never run again; its answer stands. What the model cannot act on ends the run (tier 3).
"""

import asyncio
import logging
import time
from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, Protocol, assert_never

from apps.audit.sanitizer import sanitize
from apps.lib import failpoint
from apps.runtime.errors import ToolboxError
from apps.runtime.events import ToolCompleted, ToolEvent, ToolStarted, UiForm
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.runtime.text import clean_text
from apps.tools import metrics
from apps.tools.arguments import ArgumentsError, cleaned, read_arguments
from apps.tools.outcome import (
    Broken,
    Failure,
    Forbidden,
    Late,
    Mendable,
    Opened,
    Raised,
    Refusal,
    Standing,
    Tier,
    Wording,
)
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.stable_json import cut

logger = logging.getLogger(__name__)
POLICY_SECONDS = 5.0
TEXT_LIMIT = 2_000
Policy = Callable[[str], Awaitable[ToolDescriptor | Refusal]]


class Ledger(Protocol):
    """The rows of the calls: nothing is told before it is committed here."""

    async def open(self, call: ToolCall, place: Place) -> Opened:
        """Commit audit.before and the tool run; raises ToolboxError when that cannot be."""
        ...

    async def standing(self, call: ToolCall, seconds: float) -> Standing | None:
        """The answer that is committed, waiting so long for one that is under way."""
        ...

    async def close(self, call: ToolCall, failure: Failure, duration_ms: int) -> Standing:
        """Commit how it failed, with audit.after; the answer that stands, if one came first."""
        ...


class Invoker(Protocol):
    """Runs a tool's body; success is committed together with its effect."""

    async def run(
        self, tool: ToolDescriptor, call: ToolCall, arguments: Any
    ) -> Standing | Raised | Late: ...


class Gateway:
    """The runtime's Toolbox for one run."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        policy: Policy,
        invoker: Invoker,
        tier_of: Callable[[BaseException], Tier],
        wording: Wording,
        policy_seconds: float = POLICY_SECONDS,
    ) -> None:
        self._ledger = ledger
        self._policy = policy
        self._invoker = invoker
        self._tier_of = tier_of
        self._wording = wording
        self._policy_seconds = policy_seconds

    async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        """ToolStarted, exactly one ToolCompleted, then the forms; tier 3 raises ToolboxError."""
        began, call = time.monotonic(), cleaned(call)
        opened = await self._ledger.open(call, place)
        failpoint.hit("call.opened")
        yield ToolStarted(call=call)
        if not opened.fresh:
            standing = await self._ledger.standing(call, self._policy_seconds)
            if standing is None:
                raise ToolboxError(f"call {call.id} is under way elsewhere ({opened.audit_id})")
            yield ToolCompleted(call=call, answer=standing.answer)
            return
        ended = await self._govern(call, opened)
        standing = await self._settled(call, ended, began)
        yield ToolCompleted(call=call, answer=standing.answer)
        for form in standing.forms:
            yield UiForm(form=form)
        if isinstance(ended, Failure) and ended.security == "system_error":
            raise ToolboxError(f"reference {opened.audit_id}")

    async def _govern(self, call: ToolCall, opened: Opened) -> Standing | Failure:
        tool = await self._decision(call)
        if isinstance(tool, Refusal):
            return self._refused(tool, call.name)
        try:
            arguments = read_arguments(tool, call, self._wording)
        except ArgumentsError as error:
            metrics.PARSE_ERRORS.labels(tool.name).inc()
            return Failure(status="failed", outcome="failed", text=safe(str(error)))
        ended = await self._invoker.run(tool, call, arguments)
        match ended:
            case Standing():
                return ended
            case Late():
                text = self._wording.timed_out.format(seconds=f"{tool.timeout:g}")
                return Failure(status="timed_out", outcome="timed_out", text=text)
            case Raised(error=raised):
                return self._failed(tool, self._tier_of(raised), opened)
            case _:
                assert_never(ended)

    async def _decision(self, call: ToolCall) -> ToolDescriptor | Refusal:
        """Fail closed; the policy's own exception is a value here, whatever its class."""
        asked = asyncio.ensure_future(self._policy(call.name))
        try:
            await asyncio.wait({asked}, timeout=self._policy_seconds)
        finally:
            asked.cancel()
        if not asked.done() or asked.cancelled():
            return Refusal(kind="unreadable", detail="policy unreadable: no answer in time")
        if error := asked.exception():
            return Refusal(kind="unreadable", detail=f"policy unreadable: {error!r}")
        decision: object = asked.result()
        if isinstance(decision, Refusal):
            return decision
        if isinstance(decision, ToolDescriptor) and decision.name == call.name:
            return decision
        return Refusal(kind="unreadable", detail="policy unreadable: it answered nonsense")

    def _refused(self, refusal: Refusal, name: str = "") -> Failure:
        text: str = getattr(self._wording, refusal.kind)
        if refusal.kind == "unknown":
            text = text.format(name=name[:64], names=", ".join(refusal.offered) or "–")
        if refusal.kind == "unreadable":
            logger.warning("tool policy unreadable, call refused: %s", safe(refusal.detail))
        return Failure(
            status="refused",
            outcome="refused",
            text=safe(text),
            security="refused",
            detail=refusal.detail,
        )

    def _failed(self, tool: ToolDescriptor, tier: Tier, opened: Opened) -> Failure:
        match tier:
            case Forbidden(detail=detail):
                return self._refused(Refusal(kind="forbidden", detail=detail))
            case Mendable(reason=reason):
                return Failure(status="failed", outcome="failed", text=safe(reason))
            case Broken(detail=detail):
                metrics.SYSTEM_ERRORS.labels(tool.name).inc()
                text = self._wording.broken.format(reference=opened.audit_id)
                return Failure(
                    status="failed",
                    outcome="system_error",
                    text=text,
                    security="system_error",
                    detail=detail,
                )
            case _:
                assert_never(tier)

    async def _settled(self, call: ToolCall, ended: Standing | Failure, began: float) -> Standing:
        seconds = time.monotonic() - began
        if isinstance(ended, Standing):
            standing, outcome = ended, "succeeded"
        else:
            standing = await self._ledger.close(call, ended, round(seconds * 1000))
            outcome = ended.outcome
        failpoint.hit("call.committed")
        name = call.name if outcome != "refused" else "refused"
        metrics.CALLS.labels(name, outcome).inc()
        metrics.SECONDS.labels(name).observe(seconds)
        return standing


def safe(text: str) -> str:
    """Text that may leave: storable, sanitised, short."""
    return cut(sanitize(clean_text(text)), TEXT_LIMIT)
