"""The canonical bodies of audit entries: arguments redacted, digests of what was left out."""

from apps.audit.sanitizer import sanitize, sanitize_value
from apps.lib.canonical import canonical_json, digest
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.tools.stable_json import shortened, stable

ARGUMENTS_LIMIT = 8_000


def arguments_text(call: ToolCall) -> str:
    """The call's arguments as stored, hashed and compared."""
    return canonical_json(stable(dict(call.arguments)))


def before_body(call: ToolCall, place: Place, kind: str) -> str:
    """What is known before the call."""
    body = {
        "arguments": shortened(sanitize_value(stable(dict(call.arguments))), ARGUMENTS_LIMIT),
        "argumentsDigest": digest(arguments_text(call)),
        "argumentsError": sanitize(call.arguments_error) if call.arguments_error else "",
        "index": place.index,
        "kind": kind,
        "step": place.step,
    }
    return canonical_json(body)


def after_body(*, outcome: str, ok: bool, error: str, result: str, duration_ms: int) -> str:
    """What became of it; the result stands in the tool run alone."""
    body = {
        "durationMs": duration_ms,
        "error": error,
        "ok": ok,
        "outcome": outcome,
        "resultDigest": digest(result) if result else "",
    }
    return canonical_json(body)
