"""Operators' own rules: patterns of RE2, for which no text takes more than linear time."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import re2

from apps.audit.redaction.rule import Span

MEMORY = 1 << 20


class PatternError(ValueError):
    """No pattern that RE2 takes within its memory; the text says what is wrong with it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExtraRule:
    """Removes all that its pattern matches."""

    name: str
    pattern: Any

    def spans(self, text: str) -> Iterator[Span]:
        """What to remove; a match of nothing removes nothing."""
        # A lone surrogate has no UTF-8, which RE2 reads; a question mark keeps all in its place.
        readable = text.encode(errors="replace").decode()
        for match in self.pattern.finditer(readable):
            start, end = match.span()
            if start < end:
                yield start, end


@lru_cache(512)
def extra_rule(name: str, pattern: str) -> ExtraRule:
    """Raises PatternError."""
    options = re2.Options()
    options.log_errors = False
    options.max_mem = MEMORY
    try:
        return ExtraRule(name=name, pattern=re2.compile(pattern, options))
    except (re2.error, UnicodeEncodeError) as error:
        reason = error.args[0]
        told = reason.decode(errors="replace") if isinstance(reason, bytes) else str(reason)
        raise PatternError(told) from error
