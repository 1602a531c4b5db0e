"""Runs the body of a local tool in a worker thread.

A tool that writes: effect, recorded forms and outcome in one transaction, and only if the call is
still ours. What a reading tool has found is for the ledger to commit, beside that of others.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.utils import translation
from structlog.contextvars import bound_contextvars

from apps.audit.sanitizer import redact_secrets, sanitize_value
from apps.lib import bridge, failpoint
from apps.lib.canonical import canonical_json
from apps.runtime.messages import ToolCall
from apps.tools.bridge import attempt
from apps.tools.outcome import Broken, Done, Late, Raised, Standing, Tier
from apps.tools.records import CallLostError, answers, start, succeed
from apps.tools.registry.catalogue import catalogue
from apps.tools.registry.context import AgentContext, Trace
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.registry.results import ToolResult
from apps.tools.session import EffectTarget, ToolSession
from apps.tools.stable_json import shortened, stable
from apps.tools.tiers import tier_of

TIER_SECONDS = 1.0


KEPT = 1_000_000
"""How many characters of a result stay with the call."""


class _OverdueError(Exception):
    """The body ended after its time: what it wrote is rolled back."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalCalls:
    """The gateway's Invoker for one session."""

    session: ToolSession
    locale: str

    async def run(
        self, tool: ToolDescriptor, call: ToolCall, arguments: Any
    ) -> Standing | Done | Tier | Late:
        """What became of the call; `tool.timeout` covers the wait for a thread."""
        until = time.monotonic() + tool.timeout
        ended = await attempt(lambda: self._run(tool, call, arguments, until), tool.timeout)
        if not isinstance(ended, Raised):
            return ended
        if isinstance(ended.error, _OverdueError):
            return Late()
        if isinstance(ended.error, CallLostError):
            standing = await bridge.call(answers, [call.id])
            return Standing(answer=standing[call.id])
        return await self._tier(ended.error)

    async def _tier(self, error: BaseException) -> Tier:
        """Also of an error that cannot be asked for its text, or takes its time to tell it."""
        told = await attempt(lambda: self._told(lambda: tier_of(error)), TIER_SECONDS)
        if isinstance(told, Raised | Late):
            return Broken(detail=f"{type(error).__qualname__}, its text cannot be read")
        return told

    def _told(self, tell: Callable[[], Tier]) -> Tier:
        with translation.override(self.locale):
            return tell()

    def _run(
        self, tool: ToolDescriptor, call: ToolCall, arguments: Any, until: float
    ) -> Standing | Done:
        if tool.writes and not start(call.id):
            raise CallLostError(call.id)
        failpoint.hit("call.started")
        began = time.monotonic()
        with translation.override(self.locale), bound_contextvars(trace_id=self.session.trace_id):
            if tool.writes:
                with transaction.atomic(durable=True):
                    result = self._body(tool, arguments)
                    if time.monotonic() > until:
                        # On SQLite it holds the lock that its own time-out waits for.
                        raise _OverdueError
                    return self._succeeded(call, result, began)
            result = self._body(tool, arguments)
            if not result.ui:
                return _done(result)
            with transaction.atomic(durable=True):
                return self._succeeded(call, result, began)

    def _body(self, tool: ToolDescriptor, arguments: Any) -> ToolResult:
        method = catalogue.implementation(tool.name)
        returned = method(arguments, self._context())
        return returned if isinstance(returned, ToolResult) else ToolResult(returned)

    def _succeeded(self, call: ToolCall, result: ToolResult, began: float) -> Standing:
        target = self._target(call)
        forms = tuple(self.session.record_effect(target, effect) for effect in result.ui)
        duration = round((time.monotonic() - began) * 1000)
        return Standing(answer=succeed(call.id, _done(result), duration), forms=forms)

    def _context(self) -> AgentContext:
        session = self.session
        return AgentContext(
            user_id=session.actor.user_id,
            organization_id=session.actor.organisation_id,
            surface=session.surface,
            session_id=session.conversation_id,
            turn_id=session.run_id,
            trace=Trace(trace_id=session.trace_id),
        )

    def _target(self, call: ToolCall) -> EffectTarget:
        return EffectTarget(
            conversation_id=self.session.conversation_id,
            run_id=self.session.run_id,
            message_id=self.session.message_id,
            tool_call_id=call.id,
        )


def _done(result: ToolResult) -> Done:
    """Without keys and passwords; cut for model and client, kept for those who look at the call."""
    data = sanitize_value(stable(result.data), redact_secrets)
    told = shortened(data)
    kept = canonical_json(shortened(data, KEPT)) if "truncated" in told else ""
    return Done(told=told, kept=kept)
