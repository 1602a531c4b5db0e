"""What a tool is told about the call it serves."""

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
