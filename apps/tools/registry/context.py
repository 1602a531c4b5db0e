"""What a tool is told about the call it serves."""

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Trace:
    """The id that ties page, tool, audit and logs together: 32 hexadecimal digits."""

    trace_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentContext:
    """The second argument of every tool method: exactly these six, and immutable.

    `session_id` is the conversation, `turn_id` the run. For locale, modes, permissions,
    department and region ask `session_details(ctx)`.
    """

    user_id: int
    organization_id: int
    surface: str
    session_id: str
    turn_id: str
    trace: Trace


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDetails:
    """What a tool may want to know beyond its context, as it is at this moment."""

    locale: str
    permission_mode: str
    plan_mode: str
    permissions: frozenset[str]
    department: str
    region: str


SessionSource = Callable[[AgentContext], SessionDetails]


class _Source:
    """The one place where the upper layers plug in."""

    current: SessionSource | None = None


def set_session_source(source: SessionSource) -> None:
    """Say who answers `session_details`; called once, in an `AppConfig.ready`."""
    _Source.current = source


def session_details(ctx: AgentContext) -> SessionDetails:
    """Locale, modes, permissions, department and region of the session behind `ctx`.

    The only way to these: no tool looks the session up by itself. Raises RuntimeError when
    no app has called `set_session_source`.
    """
    if _Source.current is None:
        raise RuntimeError("no session source: call set_session_source in an AppConfig.ready")
    return _Source.current(ctx)
