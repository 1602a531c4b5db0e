"""Reads and works out one arithmetic expression; nothing in it is ever executed.

    sum     = term {("+" | "-") term}
    term    = factor {("*" | "/" | "//" | "%") factor}
    factor  = ("+" | "-") factor | power
    power   = atom {"%"} ["**" factor]
    atom    = number | constant | function "(" sum {"," sum} ")" | "(" sum ")"

`%` is a per cent where no operand follows, else the rest of a division: `200 * 15%`, `7 % 3`.
"""

import decimal
from collections.abc import Callable, Mapping
from decimal import Decimal, localcontext
from typing import NamedTuple

from apps.tools.builtin.numbers import (
    CONSTANTS,
    FUNCTIONS,
    context,
    modulo,
    whole_quotient,
)
from apps.tools.builtin.tokens import Token, UnreadableError, tokens

DEPTH = 50
_TERMS: Mapping[str, Callable[[Decimal, Decimal], Decimal]] = {
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "//": whole_quotient,
    "%": modulo,
}


class Worked(NamedTuple):
    """The value, and whether nothing of it was rounded away."""

    value: Decimal
    exact: bool


class UnknownNameError(Exception):
    """A name that stands for nothing here."""


class CountError(Exception):
    """A function with too few or too many numbers."""

    def __init__(self, name: str, least: int, most: int) -> None:
        super().__init__(name)
        self.name, self.least, self.most = name, least, most


def work_out(expression: str) -> Worked:
    """UnreadableError, UnknownNameError, CountError, RecursionError (too deep), or the
    errors of `decimal`, when there is no value."""
    pieces = list(tokens(expression))
    with localcontext(context()) as rounding:
        value = _Reading(pieces).whole()
        inexact = bool(rounding.flags[decimal.Inexact]) or any(
            piece.text in CONSTANTS for piece in pieces
        )
        return Worked(value, not inexact)


class _Reading:
    """One pass over the pieces, from left to right."""

    def __init__(self, pieces: list[Token]) -> None:
        self._pieces, self._next, self._depth = pieces, 0, 0

    def whole(self) -> Decimal:
        value = self._sum()
        if self._piece.kind != "end":
            raise self._unreadable()
        return value

    @property
    def _piece(self) -> Token:
        return self._pieces[self._next]

    def _take(self, *signs: str) -> str:
        """The sign that stands here, if it is one of these; then it is read."""
        piece = self._piece
        if piece.kind != "sign" or piece.text not in signs:
            return ""
        self._next += 1
        return piece.text

    def _need(self, sign: str) -> None:
        if not self._take(sign):
            raise self._unreadable()

    def _unreadable(self) -> UnreadableError:
        return UnreadableError(self._piece.text, self._piece.place)

    def _sum(self) -> Decimal:
        self._depth += 1
        if self._depth > DEPTH:
            raise RecursionError
        value = self._term()
        while sign := self._take("+", "-"):
            term = self._term()
            value = value + term if sign == "+" else value - term
        self._depth -= 1
        return value

    def _term(self) -> Decimal:
        value = self._factor()
        while sign := self._take(*_TERMS):
            value = _TERMS[sign](value, self._factor())
        return value

    def _factor(self) -> Decimal:
        signs = 1
        while sign := self._take("+", "-"):
            signs = -signs if sign == "-" else signs
        value = self._power()
        return value if signs > 0 else -value

    def _power(self) -> Decimal:
        value = self._atom()
        while self._is_per_cent() and self._take("%"):
            value = value / 100
        if not self._take("**"):
            return value
        self._depth += 1
        if self._depth > DEPTH:
            raise RecursionError
        value = value ** self._factor()
        self._depth -= 1
        return value

    def _is_per_cent(self) -> bool:
        if self._piece.text != "%":
            return False
        follower = self._pieces[self._next + 1]
        return follower.kind in ("sign", "end") and follower.text != "("

    def _atom(self) -> Decimal:
        piece = self._piece
        if piece.kind == "number":
            self._next += 1
            return decimal.getcontext().create_decimal(piece.text.replace("_", ""))
        if piece.kind == "name":
            self._next += 1
            return self._named(piece.text.lower())
        self._need("(")
        value = self._sum()
        self._need(")")
        return value

    def _named(self, name: str) -> Decimal:
        if name in CONSTANTS:
            return CONSTANTS[name]
        if name not in FUNCTIONS:
            raise UnknownNameError(name)
        self._need("(")
        given = [self._sum()]
        while self._take(","):
            given.append(self._sum())
        self._need(")")
        function = FUNCTIONS[name]
        if not function.least <= len(given) <= function.most:
            raise CountError(name, function.least, function.most)
        return function.call(*given)
