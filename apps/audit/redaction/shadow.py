"""A text as people read it: full-width letters as plain ones, without signs that nobody sees."""

import re
from collections.abc import Iterator

from apps.audit.redaction.rule import Span

# Commas, colons and brackets of Chinese sentences stay: the rules know them.
_KEPT = "！（），：；？"
_PLAIN = {sign: sign - 0xFEE0 for sign in range(0xFF01, 0xFF5F) if chr(sign) not in _KEPT}
_UNSEEN = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_DISGUISE = re.compile(f"[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a{_UNSEEN}]")
_VISIBLE = re.compile(f"[^{_UNSEEN}]")


class Shadow:
    """The plain reading of those lines that are disguised, each with the line before it.

    It is empty for a text without a disguise, which so costs nothing.
    """

    def __init__(self, text: str) -> None:
        self._places: list[int] = []
        if _DISGUISE.search(text):
            for start, end in _disguised(text):
                self._places += [hit.start() for hit in _VISIBLE.finditer(text, start, end)]
        self.text = "".join(text[place] for place in self._places).translate(_PLAIN)

    def place(self, span: Span) -> Span:
        """A span of the reading as one of the text."""
        start, end = span
        return (self._places[start], self._places[end - 1] + 1) if start < end else (0, 0)


def _disguised(text: str) -> Iterator[Span]:
    done = before = start = 0
    for line in text.splitlines(keepends=True):
        end = start + len(line)
        if _DISGUISE.search(line):
            yield max(done, before), end
            done = end
        before, start = start, end
