"""The canonical bodies of audit entries: arguments redacted, digests of what was left out."""

import json
from collections.abc import Callable
from typing import Any

from apps.audit.redaction.keys import is_secret_key
from apps.audit.sanitizer import MARK, sanitize
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
        "arguments": shortened(redacted(stable(dict(call.arguments))), ARGUMENTS_LIMIT),
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


def redacted(value: Any, redact: Callable[[str], str] = sanitize) -> Any:
    """Every string of a JSON value through the sanitiser, also of JSON inside strings.

    Keys stay as they are; what stands under the name of a secret is masked whatever it is.
    """
    if isinstance(value, str):
        return _redacted_text(value, redact)
    if isinstance(value, list):
        return [redacted(item, redact) for item in value]
    if isinstance(value, dict):
        return {key: _redacted_field(key, item, redact) for key, item in value.items()}
    return value


def _redacted_field(key: str, value: Any, redact: Callable[[str], str]) -> Any:
    if value in ("", None, True, False) or not is_secret_key(key):
        return redacted(value, redact)
    return MARK


def _redacted_text(text: str, redact: Callable[[str], str]) -> str:
    if text[:1] in ("{", "[") and len(text) <= ARGUMENTS_LIMIT:
        try:
            inner = json.loads(text)
        except (ValueError, RecursionError):
            return redact(text)
        if (masked := redacted(inner, redact)) != inner:
            return redact(json.dumps(masked, ensure_ascii=False))
    return redact(text)
