"""What the gateway counts; `/metrics` shows it."""

from prometheus_client import Counter, Histogram

CALLS = Counter("agent_tool_calls_total", "Governed calls by outcome", ["tool", "outcome"])
PARSE_ERRORS = Counter(
    "agent_tool_input_parse_error_total", "Calls whose arguments do not parse or fit", ["tool"]
)
SYSTEM_ERRORS = Counter("agent_tool_system_error_total", "Calls that ended in tier 3", ["tool"])
SECONDS = Histogram("agent_tool_seconds", "Time from audit.before to outcome", ["tool"])
_PHASES = Histogram("agent_tool_phase_seconds", "Time of a call's phases", ["phase"])
OPEN, BODY, CLOSE = (_PHASES.labels(phase) for phase in ("open", "body", "close"))
_ERRORS = Counter("agent_tool_errors_total", "Calls that failed, by tier", ["tier"])
ERRORS = {tier: _ERRORS.labels(tier) for tier in ("1", "2", "3")}
