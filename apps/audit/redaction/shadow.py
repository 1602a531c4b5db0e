"""A text as people read it: full-width letters as plain ones, without signs that nobody sees."""

import re

from apps.audit.redaction.rule import Span

# Commas, colons and brackets of Chinese sentences stay: the rules know them.
_KEPT = "！（），：；？"
_PLAIN = {sign: sign - 0xFEE0 for sign in range(0xFF01, 0xFF5F) if chr(sign) not in _KEPT}
_DISGUISED = re.compile("[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a]")
_UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]+")


class Shadow:
    """The plain reading of a text, and where its places lie in the text itself."""

    def __init__(self, text: str) -> None:
        self._seen: list[int] | None = None
        if _UNSEEN.search(text):
            gone = {place for hit in _UNSEEN.finditer(text) for place in range(*hit.span())}
            self._seen = [place for place in range(len(text)) if place not in gone]
            text = "".join(text[place] for place in self._seen)
        self.text = text.translate(_PLAIN) if _DISGUISED.search(text) else text

    def place(self, span: Span) -> Span:
        """A span of the reading as one of the text."""
        start, end = span
        if self._seen is None or start >= end:
            return span
        return self._seen[start], self._seen[end - 1] + 1
