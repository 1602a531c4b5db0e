"""The one way to a tool, also for built-in and remote ones.

audit.before → quota → switches, mode, rights, availability → confirmation (all that in one
transaction) → arguments → call → error tiers and sanitising → outcome (committed) → metric →
audit.after, which somebody else writes.

What the model cannot act on ends the run (tier 3). A call that was completed is never run again;
its answer stands.
"""

import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import replace
from typing import Any, Protocol, assert_never

from apps.lib import failpoint
from apps.runtime.errors import ToolboxError
from apps.runtime.events import ToolCompleted, ToolEvent, ToolStarted, UiForm
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.tools import metrics
from apps.tools.arguments import ArgumentsError, cleaned, read_arguments
from apps.tools.failures import failed, late, misfit
from apps.tools.outcome import (
    Broken,
    Done,
    Failure,
    Forbidden,
    Known,
    Late,
    Mendable,
    Opened,
    Opening,
    Refused,
    Standing,
    Tier,
    Wording,
)
from apps.tools.registry.descriptor import ToolDescriptor

STANDING_SECONDS = 5.0


class Ledger(Protocol):
    """The rows of the calls: nothing is told before it is committed here."""

    async def open(self, call: ToolCall, place: Place) -> Opening:
        """Commit audit.before and the decision; raises ToolboxError when that cannot be."""
        ...

    async def standing(self, call: ToolCall, seconds: float) -> Standing | None:
        """The answer that is committed, waiting so long for one that is under way."""
        ...

    async def end(
        self, call: ToolCall, opened: Opened, ended: Done | Failure, duration_ms: int
    ) -> Standing:
        """Commit the outcome; the answer that stands, if another came first."""
        ...


class Invoker(Protocol):
    """Runs a tool's body; what it wrote is committed together with its outcome."""

    async def run(
        self, tool: ToolDescriptor, call: ToolCall, arguments: Any
    ) -> Standing | Done | Tier | Late: ...


class Gateway:
    """The runtime's Toolbox for one run."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        invoker: Invoker,
        wording: Wording,
        hand_over: Callable[[str], None],
        trace_id: str,
    ) -> None:
        self._ledger = ledger
        self._invoker = invoker
        self._wording = wording
        self._hand_over = hand_over
        self._exemplar = {"trace_id": trace_id}

    async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        """ToolStarted, exactly one ToolCompleted, then the forms; tier 3 raises ToolboxError."""
        began, call = time.monotonic(), cleaned(call)
        opening = await self._ledger.open(call, place)
        metrics.OPEN.observe(time.monotonic() - began)
        failpoint.hit("call.opened")
        yield ToolStarted(call=call)
        match opening:
            case Refused(failure=failure, answer=answer):
                self._count("refused", failure, began)
                yield ToolCompleted(call=call, answer=answer)
            case Known(audit_id=audit_id):
                standing = await self._standing(call, audit_id)
                yield ToolCompleted(call=call, answer=standing.answer)
            case Opened():
                ended = await self._ended(opening, call)
                standing = await self._settled(opening, call, ended, began)
                yield ToolCompleted(call=call, answer=standing.answer)
                for form in standing.forms:
                    yield UiForm(form=form)
                if isinstance(ended, Failure) and ended.tier == "3":
                    raise ToolboxError(f"reference {opening.audit_id}")
            case _:
                assert_never(opening)

    async def _standing(self, call: ToolCall, audit_id: str) -> Standing:
        standing = await self._ledger.standing(call, STANDING_SECONDS)
        if standing is None:
            raise ToolboxError(f"call {call.id} is under way elsewhere ({audit_id})")
        return standing

    async def _ended(self, opened: Opened, call: ToolCall) -> Standing | Done | Failure:
        try:
            arguments = read_arguments(opened.tool, call, self._wording)
        except ArgumentsError as error:
            metrics.PARSE_ERRORS.labels(call.name).inc()
            return self._shown(opened.tool, misfit(str(error)))
        began = time.monotonic()
        ended = await self._invoker.run(opened.tool, call, arguments)
        metrics.BODY.observe(time.monotonic() - began)
        match ended:
            case Standing() | Done():
                return ended
            case Late():
                return late(opened.tool.timeout, self._wording)
            case Forbidden() | Mendable() | Broken():
                return self._shown(opened.tool, failed(ended, self._wording, opened.audit_id))
            case _:
                assert_never(ended)

    def _shown(self, tool: ToolDescriptor, failure: Failure) -> Failure:
        return replace(failure, shown=self._wording.labelled(tool, failure.text))

    async def _settled(
        self, opened: Opened, call: ToolCall, ended: Standing | Done | Failure, began: float
    ) -> Standing:
        """Committed, counted, and on its way to audit.after."""
        closing = time.monotonic()
        if isinstance(ended, Standing):
            standing = ended
        else:
            duration = round((closing - began) * 1000)
            standing = await self._ledger.end(call, opened, ended, duration)
            metrics.CLOSE.observe(time.monotonic() - closing)
        failpoint.hit("call.committed")
        self._hand_over(opened.audit_id)
        self._count(call.name, ended if isinstance(ended, Failure) else None, began)
        return standing

    def _count(self, name: str, failure: Failure | None, began: float) -> None:
        outcome = failure.outcome if failure else "succeeded"
        metrics.CALLS.labels("refused" if outcome == "refused" else name, outcome).inc()
        metrics.SECONDS.labels(name).observe(time.monotonic() - began, self._exemplar)
        if failure:
            metrics.ERRORS[failure.tier].inc()
        if failure and failure.tier == "3":
            metrics.SYSTEM_ERRORS.labels(name).inc()
