"""Which tools a run may use: one function for the list the model sees and for the call.

Nothing is allowed that no rule allows: the session's list is the rule, and every doubt (a mode
that cannot be read, a right that is not there) is a refusal. What a call would do is declared by
its tool; the text of the arguments has no influence.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from apps.tools.outcome import Refusal
from apps.tools.registry.descriptor import ToolDescriptor

Rights = Callable[[str], bool]
Off: TypeAlias = Mapping[tuple[str, str], str]
"""What is switched off now, by kind and key, with the reason that was given."""

SURFACE_CAPABILITIES: Mapping[str, frozenset[str]] = {
    "chat": frozenset({"forms", "confirmation", "plan"}),
    "api": frozenset({"forms"}),
    "agui": frozenset({"forms", "confirmation", "plan"}),
    "a2a": frozenset(),
    "playground": frozenset({"forms", "confirmation", "plan"}),
    "task": frozenset(),
}
PERMISSION_MODES = frozenset({"READ_ONLY", "DEFAULT", "CONFIRM_ALL"})
PLAN_MODES = frozenset({"OFF", "OPTIONAL", "REQUIRED"})
NEVER_CONFIRMED = frozenset({"render_form"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What one run allows; what may change while it runs is looked up live, beside it."""

    user_id: int
    agent: str
    surface: str
    permission_mode: str
    plan_mode: str
    tools: tuple[ToolDescriptor, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """What holds at this moment: whether the account does, its rights, what is switched off."""

    active: bool
    has: Rights
    off: Off


def offered(rules: Rules, live: Live) -> tuple[ToolDescriptor, ...]:
    """The tools shown to the model: those whose call would pass, or ask a person."""
    return tuple(tool for tool in rules.tools if objection(tool, rules, live) is None)


def decide(name: str, rules: Rules, live: Live) -> ToolDescriptor | Refusal:
    """The tool to call, or why not. A tool outside the list does not exist."""
    found = tool_named(name, rules.tools)
    if found is None:
        names = tuple(tool.name for tool in offered(rules, live))
        return Refusal(kind="unknown", detail=f"no matching rule for {name}", offered=names)
    if refusal := objection(found, rules, live) or _confirmation(found, rules):
        return refusal
    return found


def tool_named(name: str, tools: tuple[ToolDescriptor, ...]) -> ToolDescriptor | None:
    """The tool of that name in a session's list."""
    return next((tool for tool in tools if tool.name == name), None)


def wanted_rights(tool: ToolDescriptor) -> tuple[str, ...]:
    """All of them are needed."""
    own = (tool.permission,) if tool.permission else ()
    return (*tool.availability.permissions, *own)


def objection(tool: ToolDescriptor, rules: Rules, live: Live) -> Refusal | None:
    """Why this tool is hidden, None when it is not."""
    if unreadable := _unreadable(rules):
        return Refusal(kind="unreadable", detail=f"policy unreadable: {unreadable}")
    if reason := _switched_off(tool, rules, live.off):
        return Refusal(kind="switched_off", detail=f"{tool.name}: {reason}")
    reason = _mode(tool, rules) or _right(tool, live) or _availability(tool, rules)
    return Refusal(kind="forbidden", detail=f"{tool.name}: {reason}") if reason else None


def _unreadable(rules: Rules) -> str:
    if rules.permission_mode not in PERMISSION_MODES:
        return f"permission mode {rules.permission_mode!r}"
    if rules.plan_mode not in PLAN_MODES:
        return f"plan mode {rules.plan_mode!r}"
    if rules.surface not in SURFACE_CAPABILITIES:
        return f"surface {rules.surface!r}"
    return ""


def _switched_off(tool: ToolDescriptor, rules: Rules, off: Off) -> str:
    objects = [("user", str(rules.user_id)), ("agent", rules.agent), ("tool", tool.name)]
    objects += [("mcp_server", tool.app)] if tool.kind == "mcp" else []
    objects += [("skill", tool.skill)] if tool.skill else []
    found = [(kind, key) for kind, key in objects if (kind, key) in off]
    return "; ".join(f"{kind} {key} is switched off: {off[kind, key]}" for kind, key in found)


def _mode(tool: ToolDescriptor, rules: Rules) -> str:
    if tool.destructive and rules.permission_mode == "READ_ONLY":
        return "destructive in mode READ_ONLY"
    if tool.writes and rules.plan_mode == "REQUIRED":
        return "writes in plan mode REQUIRED"
    return ""


def _availability(tool: ToolDescriptor, rules: Rules) -> str:
    if rules.surface not in tool.availability.surfaces:
        return f"not on surface {rules.surface}"
    lacking = set(tool.availability.capabilities) - SURFACE_CAPABILITIES[rules.surface]
    return f"surface lacks {', '.join(sorted(lacking))}" if lacking else ""


def _right(tool: ToolDescriptor, live: Live) -> str:
    if not live.active:
        return "the account is not active"
    lacking = [right for right in wanted_rights(tool) if not live.has(right)]
    return f"lacks {', '.join(lacking)}" if lacking else ""


def _confirmation(tool: ToolDescriptor, rules: Rules) -> Refusal | None:
    """A call that a person would have to confirm is refused while nobody can be asked."""
    every = rules.permission_mode == "CONFIRM_ALL" and tool.name not in NEVER_CONFIRMED
    if tool.control_tool or not (tool.destructive or every):
        return None
    return Refusal(kind="confirmation", detail=f"{tool.name}: confirmation due, nobody to ask")
