"""The id that ties an answer, its run and its log lines together: 32 hexadecimal digits."""

import re
import secrets

# W3C Trace Context: version, trace-id, parent-id, flags; later versions may append fields.
_TRACEPARENT = re.compile(r"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}(?:-.*)?")
_NONE = "0" * 32


def new_trace_id() -> str:
    return secrets.token_hex(16)


def trace_id_of(traceparent: str) -> str:
    """The caller's trace id when its `traceparent` header is valid, else a fresh one."""
    found = _TRACEPARENT.fullmatch(traceparent)
    if found is None or found[1] == _NONE or found[2] == "0" * 16:
        return new_trace_id()
    return found[1]
