"""What the gateway counts; `/metrics` shows it."""

from prometheus_client import Counter, Histogram

CALLS = Counter("agent_tool_calls_total", "Governed calls by outcome", ["tool", "outcome"])
PARSE_ERRORS = Counter(
    "agent_tool_input_parse_error_total", "Calls whose arguments do not parse or fit", ["tool"]
)
SYSTEM_ERRORS = Counter("agent_tool_system_error_total", "Calls that ended in tier 3", ["tool"])
SECONDS = Histogram("agent_tool_seconds", "Time from audit.before to outcome", ["tool"])
