"""Many rules over one text: their needles are looked for once, all together."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from apps.audit.redaction.rule import LEFT, Rule, Span


class Ruleset:
    """Rules made ready; what they find does not depend on their order."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._rules = tuple(rules)
        needles = {need for each in self._rules for need in each.needs}
        self._needle = re.compile(f"(?=({_alternatives(_tree(needles))}))") if needles else None
        self._at = {needle: self._begun_by(needle) for needle in needles}
        self._anchored: dict[re.Pattern[str], list[tuple[int, Rule]]] = {}
        for number, each in enumerate(self._rules):
            if not each.needs:
                anchor = each.anchor or each.pattern
                self._anchored.setdefault(anchor, []).append((number, each))

    def spans(self, text: str) -> list[Span]:
        """What to remove from a text; pieces may overlap."""
        return [span for span, _ in self._found(text)]

    def named(self, text: str) -> list[tuple[str, Span]]:
        """The same, with the names of the rules that say so."""
        return [(self._rules[number].name, span) for span, number in self._found(text)]

    def _found(self, text: str) -> list[tuple[Span, int]]:
        look = _Look(text, len(self._rules))
        for anchor, rules in self._anchored.items():
            for hit in anchor.finditer(text):
                look.at(hit.start(), rules)
        for hit in self._needle.finditer(look.lowered) if self._needle else ():
            look.at(hit.start(), self._at[hit[1]])
        return look.found

    def _begun_by(self, needle: str) -> tuple[tuple[int, Rule], ...]:
        """The rules to try where this needle, the longest there, stands."""
        return tuple(
            (number, each)
            for number, each in enumerate(self._rules)
            if any(needle.startswith(need) for need in each.needs)
        )


class _Look:
    """One text, read by rule after rule; none reads the same place twice."""

    def __init__(self, text: str, rules: int) -> None:
        self.text = text
        # The one sign whose lower case is longer than itself would move all that follow.
        self.lowered = text.replace("\u0130", "I").lower()
        self.found: list[tuple[Span, int]] = []
        self._past = [0] * rules
        self._tried = [-1] * rules

    def at(self, place: int, rules: Iterable[tuple[int, Rule]]) -> None:
        """Try those rules where one of their needles or anchors stands."""
        for number, each in rules:
            if place < self._past[number]:
                continue
            start = place
            if each.left:
                start = max(self._past[number], _begin(self.text, place, each.left))
                if start == self._tried[number]:
                    continue
                self._tried[number] = start
            match = each.pattern.match(self.lowered if each.fold else self.text, start)
            if match:
                pieces = each.pieces(match, self.text, self.lowered)
                self._past[number] = match.end() if pieces else place + 1
                self.found += [(span, number) for span in pieces]


def _begin(text: str, place: int, signs: str) -> int:
    """Where the run of those signs before a place begins, or as far back as one looks."""
    head = text[max(0, place - LEFT) : place]
    return place - len(head) + len(head.rstrip(signs))


def _tree(words: Iterable[str]) -> dict[str, Any]:
    root: dict[str, Any] = {}
    for word in words:
        branch = root
        for sign in word:
            branch = branch.setdefault(sign, {})
        branch[""] = {}
    return root


def _alternatives(branch: Mapping[str, Any]) -> str:
    """A pattern that reads the longest word of the tree, sign by sign."""
    ways = [re.escape(sign) + _alternatives(rest) for sign, rest in branch.items() if sign]
    if not ways:
        return ""
    return f"(?:{'|'.join(ways)})" + ("?" if "" in branch else "")
