"""All that a run needs of the database before its first token, read at once."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from apps.accounts.actor import Actor
from apps.agents.services.catalogue import ensure_fresh, snapshot_for_run
from apps.agents.services.spec import spec_of, system_message
from apps.agents.snapshot import Snapshot
from apps.conversations.history import model_messages, recorded_steps
from apps.conversations.host.errors import SwitchedOffError
from apps.conversations.models import Run
from apps.conversations.registry import record_effect
from apps.conversations.services.switched import reasons_off
from apps.conversations.units import Fence
from apps.runtime.messages import Message
from apps.runtime.steps import AgentSpec, RecordedStep
from apps.tools.session import ToolSession
from apps.tools.wiring import tool_specs

PERMISSION_MODES = ("DEFAULT", "CONFIRM_ALL", "READ_ONLY")
PLAN_MODES = ("OFF", "OPTIONAL", "REQUIRED")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedRun:
    """One run as it is driven; nothing in it changes while it runs."""

    snapshot: Snapshot
    session: ToolSession
    spec: AgentSpec
    messages: tuple[Message, ...]
    recorded: tuple[RecordedStep, ...]
    cancel_requested: bool
    metadata: Mapping[str, Any]
    """Of the message, as the run begins."""


def load_run(fence: Fence) -> LoadedRun:
    """Raises Run.DoesNotExist when the fence holds no more, SwitchedOffError for what is off."""
    held = Run.objects.filter(pk=fence.run_id, epoch=fence.epoch, owner=fence.owner)
    run = held.select_related("conversation", "user", "message").get()
    ensure_fresh()
    snapshot = snapshot_for_run(agent_code=run.agent_code, record_id=run.record_id)
    if off := reasons_off(Actor.of(run.user), snapshot):
        raise SwitchedOffError(", ".join(off))
    session = session_of(run, snapshot)
    history = model_messages(run.conversation_id, run.pk)
    return LoadedRun(
        snapshot=snapshot,
        session=session,
        spec=spec_of(snapshot, tool_specs(session)),
        messages=(system_message(snapshot), *history),
        recorded=tuple(recorded_steps(run.pk)),
        cancel_requested=run.cancel_requested,
        metadata=run.message.metadata,
    )


def session_of(run: Run, snapshot: Snapshot) -> ToolSession:
    """The frame of the run's calls: of two modes the tighter one rules."""
    conversation = run.conversation
    return ToolSession(
        actor=replace(Actor.of(run.user), locale=run.language),
        agent_code=run.agent_code,
        conversation_id=conversation.pk,
        run_id=run.pk,
        message_id=run.message_id,
        surface=run.surface,
        trace_id=run.trace_id,
        permission_mode=_tighter(
            PERMISSION_MODES, snapshot.permission_mode, conversation.permission_mode
        ),
        plan_mode=_tighter(PLAN_MODES, snapshot.plan_mode, conversation.plan_mode),
        tools=snapshot.tools,
        record_effect=record_effect,
    )


def _tighter(modes: Sequence[str], *asked: str) -> str:
    return max(asked, key=modes.index)
