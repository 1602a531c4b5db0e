"""What must not leave in a text becomes [REDACTED]; plain business text stays as it is.

Every rule looks at the original text, so that none depends on another; what they find is merged.
The input is cut first and every rule is linear, so that no text, however hostile, takes long.
"""

from collections.abc import Iterable, Iterator

from apps.audit.redaction.database import DATABASE
from apps.audit.redaction.frames import FRAMES
from apps.audit.redaction.named import NAMED
from apps.audit.redaction.network import NETWORK
from apps.audit.redaction.paths import PATHS
from apps.audit.redaction.personal import BLOBS, PERSONAL
from apps.audit.redaction.rule import Rule, Span
from apps.audit.redaction.ruleset import Ruleset
from apps.audit.redaction.secrets import SECRETS
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


def sanitize(text: str) -> str:
    """The text without SQL, paths, traces, addresses, secrets and numbers of persons."""
    return _without(_short(_text(text)), _EVERYTHING)


def redact_secrets(text: str) -> str:
    """The text without keys and passwords only: for results, whose business data is meant."""
    return _without(_text(text), _SECRETS)


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
    spans = rules.spans(text)
    return "".join(_pieces(text, _merged(spans))) if spans else text


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
