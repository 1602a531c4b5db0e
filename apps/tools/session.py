"""The frame in which the calls of one run are governed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from apps.accounts.actor import Actor
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.registry.results import UiEffect


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectTarget:
    """Which call an effect belongs to."""

    conversation_id: str
    run_id: str
    message_id: int
    tool_call_id: str


RecordEffect = Callable[[EffectTarget, UiEffect], Mapping[str, Any]]
"""Stores an effect inside the transaction of the call's outcome; returns what the client gets."""


def _no_effects(target: EffectTarget, effect: UiEffect) -> Mapping[str, Any]:
    raise LookupError(f"nobody records effects of kind {effect.kind!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSession:
    """Who calls, from where, under which modes, with which tools; fixed for the whole run."""

    actor: Actor
    agent_code: str
    conversation_id: str
    run_id: str
    message_id: int
    surface: str
    trace_id: str
    permission_mode: str = "DEFAULT"
    plan_mode: str = "OFF"
    tools: tuple[ToolDescriptor, ...] = ()
    record_effect: RecordEffect = field(default=_no_effects)
