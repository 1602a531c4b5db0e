"""What must not leave in a text becomes [REDACTED]; plain business text stays as it is.

Every rule looks at the original text, so that none depends on another; what they find is merged.
The input is cut first and every rule is linear, so that no text, however hostile, takes long.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from apps.audit.redaction.database import DATABASE
from apps.audit.redaction.extra import ExtraRule
from apps.audit.redaction.frames import FRAMES
from apps.audit.redaction.keys import is_secret_key
from apps.audit.redaction.named import NAMED
from apps.audit.redaction.network import NETWORK
from apps.audit.redaction.paths import PATHS
from apps.audit.redaction.personal import BLOBS, PERSONAL
from apps.audit.redaction.rule import Rule, Span
from apps.audit.redaction.ruleset import Ruleset
from apps.audit.redaction.secrets import SECRETS
from apps.audit.redaction.shadow import Shadow
from apps.audit.redaction.sql import SQL
from apps.audit.redaction.stores import STORES
from apps.audit.redaction.traces import TRACES
from apps.audit.redaction.vendor_keys import VENDOR_KEYS

MARK = "[REDACTED]"
LIMIT = 8_000
MARGIN = 256
KEYS: tuple[Rule, ...] = (*NAMED, *SECRETS, *VENDOR_KEYS)
RULES: tuple[Rule, ...] = (
    *KEYS, *NETWORK, *TRACES, *FRAMES, *PATHS, *SQL, *DATABASE, *STORES, *PERSONAL, *BLOBS,
)  # fmt: skip
_SECRETS = Ruleset(KEYS)
_EVERYTHING = Ruleset(RULES)
DEPTH = 40


class _Extra:
    """The operators' rules as this process knows them."""

    rules: tuple[ExtraRule, ...] = ()


def set_extra_rules(rules: Iterable[ExtraRule]) -> None:
    """From now on these stand beside the built-in rules, in every thread of this process."""
    _Extra.rules = tuple(rules)


def sanitize(text: str) -> str:
    """The text without SQL, paths, traces, addresses, secrets and numbers of persons."""
    return _without(_short(_text(text)), _EVERYTHING)


def redact_secrets(text: str) -> str:
    """The text without keys and passwords only: for results, whose business data is meant."""
    return _without(_text(text), _SECRETS)


def sanitize_value(value: Any, redact: Callable[[str], str] = sanitize) -> Any:
    """A JSON value with every string of it sanitised, also of JSON inside strings.

    Keys stay as they are. What stands under the name of a secret is masked whatever it is, and so
    is what lies deeper than any form or tool has reason to.
    """
    return _value(value, redact, DEPTH)


def try_rules(text: str) -> list[tuple[str, Span]]:
    """Which rules find what in a text, first to last; the name of an operator's rule as it is."""
    found = dict.fromkeys(_found(_short(text), _EVERYTHING))
    extra = ((rule.name, span) for rule in _Extra.rules for span in rule.spans(_short(text)))
    return sorted([*found, *extra], key=lambda each: each[1])


def _value(value: Any, redact: Callable[[str], str], depth: int) -> Any:
    if isinstance(value, str):
        return _inner(value, redact, depth)
    if isinstance(value, dict | list) and depth <= 0:
        return MARK
    if isinstance(value, list):
        return [_value(item, redact, depth - 1) for item in value]
    if isinstance(value, dict):
        return {key: _field(key, item, redact, depth - 1) for key, item in value.items()}
    return value


def _field(key: str, value: Any, redact: Callable[[str], str], depth: int) -> Any:
    nothing = value is None or value == "" or isinstance(value, bool)
    if nothing or not is_secret_key(key):
        return _value(value, redact, depth)
    return MARK


def _inner(text: str, redact: Callable[[str], str], depth: int) -> str:
    """A string that is a JSON object or list is masked as one, and is a string again."""
    if text[:1] in ("{", "[") and len(text) <= LIMIT and depth > 0:
        try:
            inner = json.loads(text)
        except (ValueError, RecursionError):
            return redact(text)
        if (masked := _value(inner, redact, depth - 1)) != inner:
            return redact(json.dumps(masked, ensure_ascii=False))
    return redact(text)


def _text(value: object) -> str:
    """Callers may hand in what an error carried; nothing here raises."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode(errors="replace")
    return "" if value is None else str(value)


def _short(text: str) -> str:
    """Cut, and without the last word, of which only a piece might be left."""
    if len(text) <= LIMIT:
        return text
    head, tail = text[: LIMIT - MARGIN], text[LIMIT - MARGIN : LIMIT]
    return head + tail[: len(tail) - len(tail.split()[-1]) if tail.split() else len(tail)]


def _without(text: str, rules: Ruleset) -> str:
    spans = [span for _, span in _found(text, rules)]
    for extra in _Extra.rules:
        spans += extra.spans(text)
    return "".join(_pieces(text, _merged(sorted(spans)))) if spans else text


def _found(text: str, rules: Ruleset) -> list[tuple[str, Span]]:
    """In the text as it is written, and as people read it where that differs."""
    found, shadow = rules.named(text), Shadow(text)
    if shadow.text:
        found += [(name, shadow.place(span)) for name, span in rules.named(shadow.text)]
    return found


def _merged(spans: Iterable[Span]) -> Iterator[Span]:
    """Touching and overlapping spans as one."""
    start = end = -1
    for left, right in spans:
        if left > end:
            if end > start:
                yield start, end
            start, end = left, right
        else:
            end = max(end, right)
    if end > start:
        yield start, end


def _pieces(text: str, spans: Iterable[Span]) -> Iterator[str]:
    place = 0
    for start, end in spans:
        yield text[place:start]
        yield MARK
        place = end
    yield text[place:]
