"""An expression cut into numbers, names and signs; pure."""

import re
import unicodedata
from collections.abc import Iterator
from typing import Literal, NamedTuple

Kind = Literal["number", "name", "sign", "end"]
_SIGNS = str.maketrans({"×": "*", "·": "*", "÷": "/", "\u2212": "-", "–": "-", "，": ","})
_TOKEN = re.compile(
    r"(?P<number>(?:\d+(?:_\d+)*(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,4})?)"
    r"|(?P<name>[A-Za-z][A-Za-z0-9]*)"
    r"|(?P<sign>\*\*|//|[-+*/%^(),])",
    re.ASCII,
)
_BLANK = re.compile(r"\s*")


class Token(NamedTuple):
    """A piece and where it begins, counted from 1."""

    kind: Kind
    text: str
    place: int


class UnreadableError(Exception):
    """What stands there belongs to no expression."""

    def __init__(self, text: str, place: int) -> None:
        super().__init__(f"{text} at {place}")
        self.text, self.place = text, place


def tokens(expression: str) -> Iterator[Token]:
    """All pieces, then an end; full-width signs and × ÷ count as the plain ones."""
    text = unicodedata.normalize("NFKC", expression.translate(_SIGNS)).translate(_SIGNS)
    place = _after_blanks(text, 0)
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise UnreadableError(text[place], place + 1)
        kinds: tuple[Kind, ...] = ("number", "name", "sign")
        kind = next(kind for kind in kinds if found[kind] is not None)
        sign = {"^": "**"}.get(found[0], found[0])
        yield Token(kind, sign, place + 1)
        place = _after_blanks(text, found.end())
    yield Token("end", "", len(text) + 1)


def _after_blanks(text: str, place: int) -> int:
    found = _BLANK.match(text, place)
    return found.end() if found else place
