"""One kind of thing that must not leave, and how it is found in linear time."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Span = tuple[int, int]
WINDOW = 40


_RUN = re.compile(r"[\w+/-]{28,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A text, and what is cheap to know of it before any rule looks."""

    text: str
    lowered: str
    run: int

    @classmethod
    def of(cls, text: str) -> "Seen":
        run = max(map(len, _RUN.findall(text)), default=0)
        return cls(text=text, lowered=text.lower(), run=run)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Removes the group `x` of each match, or the whole match where there is none.

    `needs`: lower-case literals, one of which is in every text that can match; a text without
    them costs nothing. `run`: so long is the longest run of key-like signs in such a text.
    `unless`: what may not stand in the 40 characters before the match.
    """

    name: str
    pattern: re.Pattern[str]
    needs: tuple[str, ...] = ()
    run: int = 0
    unless: re.Pattern[str] | None = None
    accepts: Callable[[str], bool] | None = None

    def spans(self, seen: "Seen") -> Iterator[Span]:
        """What to remove."""
        if self.run > seen.run or not self._may_match(seen):
            return
        for match in self.pattern.finditer(seen.text):
            if self._holds(seen.text, match):
                yield match.span("x") if "x" in self.pattern.groupindex else match.span()

    def _may_match(self, seen: "Seen") -> bool:
        return not self.needs or any(need in seen.lowered for need in self.needs)

    def _holds(self, text: str, match: re.Match[str]) -> bool:
        if self.accepts and not self.accepts(match.group()):
            return False
        before = text[max(0, match.start() - WINDOW) : match.start()]
        return not (self.unless and self.unless.search(before))


def rule(
    name: str,
    pattern: str,
    *needs: str,
    run: int = 0,
    unless: str = "",
    accepts: Callable[[str], bool] | None = None,
) -> Rule:
    """A rule from plain text. `(?i)` and the like stand in the pattern."""
    return Rule(
        name=name,
        pattern=re.compile(pattern),
        needs=needs,
        run=run,
        unless=re.compile(unless) if unless else None,
        accepts=accepts,
    )
