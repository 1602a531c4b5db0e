"""For tests of tools: one call through the whole gateway, as a run would make it.

Needs `@pytest.mark.django_db(transaction=True)`: the call crosses threads.
"""

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from apps.accounts.actor import Actor
from apps.lib import bridge
from apps.lib.ids import new_id
from apps.lib.writer.rounds import Plan
from apps.lib.writer.writer import Writer
from apps.runtime.events import ToolCompleted, ToolEvent, UiForm
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools import after
from apps.tools.registry import AgentContext, ToolResult, Trace, UiEffect, catalogue
from apps.tools.session import EffectTarget, ToolSession
from apps.tools.units import KINDS, TABLES
from apps.tools.wiring import build_toolbox

TRACE_ID = "0" * 31 + "1"


@dataclass(frozen=True, slots=True, kw_only=True)
class InvokedResult(ToolResult):
    """What came of the call: where `ok` is false `data` is empty and `error` says why."""

    ok: bool
    error: str
    content: str
    tool_call_id: str


def invoke_tool(name: str, input: Mapping[str, Any], actor: Actor) -> InvokedResult:
    """Call the registered tool as `actor`; raises ToolboxError in tier 3."""
    bridge.check_open()
    known = catalogue.get(name)
    session = fake_session(actor, tools=(known,) if known else ())
    call = ToolCall(id=new_id(), name=name, arguments=input)
    events = asyncio.run(events_of(session, call))
    answer = answer_in(events)
    forms = [event.form for event in events if isinstance(event, UiForm)]
    return InvokedResult(
        answer.result or {},
        tuple(UiEffect(kind="form", payload=form) for form in forms),
        ok=answer.ok,
        error=answer.error,
        content=answer.content,
        tool_call_id=call.id,
    )


async def events_of(
    session: ToolSession,
    call: ToolCall,
    place: Place = Place(0, 0),  # noqa: B008  (a tuple)
) -> list[ToolEvent]:
    """All events of one call, on a writer of its own; audit.after stands by then."""
    handed_over: list[str] = []
    plan = Plan(kinds=KINDS, tables=TABLES)
    writer = Writer(plan, loop=asyncio.get_running_loop())
    writer.start()
    try:
        toolbox = build_toolbox(session, writer.submit, handed_over.append)
        return [event async for event in toolbox.call(call, place)]
    finally:
        await writer.close()
        await bridge.call(after.write, handed_over)


def answer_in(events: list[ToolEvent]) -> ToolAnswer:
    """The one answer among the events."""
    (completed,) = (event for event in events if isinstance(event, ToolCompleted))
    return completed.answer


def fake_session(actor: Actor, **changes: Any) -> ToolSession:
    """A session on the chat surface that offers `tools`; effects are echoed, not stored."""
    session = ToolSession(
        actor=actor,
        agent_code="test-agent",
        conversation_id=new_id(),
        run_id=new_id(),
        message_id=1,
        surface="chat",
        trace_id=TRACE_ID,
        record_effect=_echoed,
    )
    return replace(session, **changes)


def fake_context(**changes: Any) -> AgentContext:
    """A context for calling a method directly."""
    context = AgentContext(
        user_id=1,
        organization_id=1,
        surface="chat",
        session_id=new_id(),
        turn_id=new_id(),
        trace=Trace(trace_id=TRACE_ID),
    )
    return replace(context, **changes)


@contextmanager
def registered(*services: type) -> Iterator[None]:
    """These services' tools are in the catalogue while the block runs."""
    with catalogue.temporarily(*services):
        yield


def _echoed(target: EffectTarget, effect: UiEffect) -> Mapping[str, Any]:
    return {**effect.payload, "id": target.tool_call_id}
