"""The id that ties an answer, its run and its log lines together: 32 hexadecimal digits."""

import re
import secrets

import structlog

# W3C Trace Context: version, trace-id, parent-id, flags; later versions may append fields.
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
_NONE = "0" * 32
HEADER = "traceparent"


def new_trace_id() -> str:
    return secrets.token_hex(16)


def trace_id_of(traceparent: str) -> str:
    """The caller's trace id when its `traceparent` header is valid, else a fresh one."""
    found = _TRACEPARENT.fullmatch(traceparent)
    if found is None or found[1] == _NONE or found[2] == "0" * 16:
        return new_trace_id()
    return found[1]


def current() -> str:
    """The trace id under which this context logs; empty where there is none."""
    return str(structlog.contextvars.get_contextvars().get("trace_id", ""))


def headers(trace_id: str = "") -> dict[str, str]:
    """What takes a trace id (this context's, if none is given) along to a server or a worker."""
    found = trace_id or current()
    return {HEADER: f"00-{found}-{secrets.token_hex(8)}-01"} if found else {}
