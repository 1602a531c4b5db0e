"""One kind of thing that must not leave, and where to look for it.

A rule with needles looks only where one of them stands, so a text without them costs it nothing.
Every repeat in a pattern is bounded or ends in a match: no text takes more than linear time.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

Span = tuple[int, int]
Accepts = Callable[[re.Match[str], str], bool]
WINDOW = 40
LEFT = 128
LONG = 500

# Where a word begins: also after an escape of JSON or of a URL.
START = r"(?:(?<![\w.-])|(?<=\\[nrt])|(?<=%[0-9A-Fa-f]{2}))"
# A quote, also one that was escaped on its way.
QUOTE = r"(?:\\{0,4}[\"'`]|&quot;|&#39;|&#x27;|%22|%27|\\u0022)"
_DIGIT_TURN = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)")
_TURN = re.compile(r"\d(?=[A-Za-z])|[A-Za-z](?=\d)|[a-z](?=[A-Z])|[A-Z](?=[a-z])")
# Where many rules without a literal may begin.
NUMBER = re.compile(r"(?<![0-9])[0-9](?=[0-9 .-]{9})", re.ASCII)
RUN = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{22,}", re.ASCII)
DOTTED = re.compile(r"(?<![\w.@/-])[A-Za-z_]\w{0,60}\.(?=[A-Za-z_])", re.ASCII)
PAIRS = re.compile(
    r"(?<![\w:-])[0-9A-Fa-f]{2}[:-](?=[0-9A-Fa-f]{2}[:-][0-9A-Fa-f]{2}[:-])", re.ASCII
)
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
DIGITS = "0123456789"
WORD = LETTERS + DIGITS + "_"
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """Removes the groups `x`, `y` and `z` of each match, or all of it where there are none.

    `needs`: lower-case literals at which the pattern begins, or `anchor`: a pattern at whose
    matches it does. With `left` it begins where the run of those signs before them does.
    `fold`: the pattern reads the text in lower case. `unless`: what may not stand right before a
    match, in lower case. `accepts`: has the last word, given the match and the piece to remove.
    """

    name: str
    pattern: re.Pattern[str]
    groups: tuple[str, ...]
    needs: tuple[str, ...] = ()
    anchor: re.Pattern[str] | None = None
    left: str = ""
    fold: bool = False
    unless: re.Pattern[str] | None = None
    accepts: Accepts | None = None

    def pieces(self, match: re.Match[str], text: str, lowered: str) -> list[Span]:
        """What of a match to remove: nothing where the rule takes it back.

        It cannot take back a long one: a text of nothing but such would be read again and again.
        """
        spans = [match.span(group) for group in self.groups if match.start(group) >= 0]
        spans = spans or [match.span()]
        before = lowered[max(0, match.start() - WINDOW) : match.start()]
        if match.end() - match.start() > LONG:
            return spans
        if self.unless and self.unless.search(before):
            return []
        if self.accepts and not self.accepts(match, text[spans[0][0] : spans[0][1]]):
            return []
        return spans


def rule(
    name: str,
    pattern: str,
    *,
    needs: str = "",
    anchor: re.Pattern[str] | None = None,
    left: str = "",
    fold: bool = False,
    unless: str = "",
    accepts: Accepts | None = None,
) -> Rule:
    """A rule from plain text, its needles apart by `|`.

    Classes of signs hold ASCII only: Chinese stands beside a secret without a space.
    """
    compiled = re.compile(pattern, re.ASCII)
    return Rule(
        name=name,
        pattern=compiled,
        groups=tuple(group for group in "xyz" if group in compiled.groupindex),
        needs=tuple(needs.split("|")) if needs else (),
        anchor=anchor,
        left=left,
        fold=fold,
        unless=re.compile(unless) if unless else None,
        accepts=accepts,
    )


def is_tangled(text: str, least: int = 12) -> bool:
    """Letters, digits and cases in turn, as in keys, and not as in words and numbers."""
    if len(text) < least:
        return False
    if len(text) >= 20 and text.isalnum() and len(_DIGIT_TURN.findall(text)) >= 3:
        return True
    return len(_TURN.findall(text)) >= max(3, 0.2 * len(text))


def is_uuid(text: str) -> bool:
    """What most systems name their rows by."""
    return _UUID.fullmatch(text) is not None
