"""What can be done with numbers: decimal, bounded in size and time; pure.

`0.1 + 0.2` is 0.3. A result is exact up to 60 digits; beyond them it is rounded, and said to be.
"""

import decimal
from collections.abc import Callable, Mapping
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_UP, Context, Decimal
from typing import NamedTuple

DIGITS, SHOWN = 60, 28
GREATEST = 1_000  # exponent to the base of ten, and least one: beyond them there is no result
PLAIN = 70


class Function(NamedTuple):
    """What a name stands for, and how many numbers it takes."""

    call: Callable[..., Decimal]
    least: int
    most: int


def context() -> Context:
    """One calculation's: its flags tell whether anything was rounded."""
    return Context(
        prec=DIGITS,
        rounding=ROUND_HALF_UP,
        Emin=-GREATEST,
        Emax=GREATEST,
        traps=[
            decimal.InvalidOperation,
            decimal.DivisionByZero,
            decimal.Overflow,
            decimal.Underflow,
        ],
    )


def modulo(number: Decimal, divisor: Decimal) -> Decimal:
    """With the sign of the divisor, so that the rest of a division is never a surprise."""
    if not divisor:
        raise decimal.DivisionByZero
    rest = number % divisor
    return rest + divisor if rest and (rest < 0) != (divisor < 0) else rest


def whole_quotient(number: Decimal, divisor: Decimal) -> Decimal:
    """Towards the smaller, as `modulo` goes with it."""
    return (number - modulo(number, divisor)) / divisor


def shown(number: Decimal, *, exact: bool) -> str:
    """As people write it; without an exponent where that is possible."""
    rounding = Context(prec=DIGITS if exact else SHOWN, rounding=ROUND_HALF_UP)
    number = number.normalize(rounding)
    if not number:
        return "0"
    return format(number, "f") if -PLAIN < number.adjusted() < PLAIN else str(number)


def _rounded(number: Decimal, places: Decimal = Decimal(0)) -> Decimal:
    """Half goes away from zero: round(2.5) is 3."""
    if places != places.to_integral_value() or abs(places) > DIGITS:
        raise decimal.InvalidOperation
    with decimal.localcontext():  # a rounding that was asked for makes no result inexact
        return number.quantize(Decimal(1).scaleb(-int(places)), rounding=ROUND_HALF_UP)


def _sum(*numbers: Decimal) -> Decimal:
    return sum(numbers, Decimal(0))


def _average(*numbers: Decimal) -> Decimal:
    return _sum(*numbers) / len(numbers)


def _natural(number: Decimal) -> Decimal:
    if number <= 0:
        raise decimal.InvalidOperation
    return number.ln()


def _logarithm(number: Decimal, base: Decimal = Decimal(10)) -> Decimal:
    """Exact for powers of ten."""
    if base != 10:
        return _natural(number) / _natural(base)
    return number.log10() if number > 0 else _natural(number)


MANY = 100
FUNCTIONS: Mapping[str, Function] = {
    "abs": Function(abs, 1, 1),
    "avg": Function(_average, 1, MANY),
    "ceil": Function(lambda number: number.to_integral_value(ROUND_CEILING), 1, 1),
    "exp": Function(Decimal.exp, 1, 1),
    "floor": Function(lambda number: number.to_integral_value(ROUND_FLOOR), 1, 1),
    "ln": Function(_natural, 1, 1),
    "log": Function(_logarithm, 1, 2),
    "max": Function(max, 1, MANY),
    "min": Function(min, 1, MANY),
    "mod": Function(modulo, 2, 2),
    "round": Function(_rounded, 1, 2),
    "sqrt": Function(Decimal.sqrt, 1, 1),
    "sum": Function(_sum, 1, MANY),
}
CONSTANTS: Mapping[str, Decimal] = {
    "pi": Decimal("3.14159265358979323846264338327950288419716939937510582097494"),
    "e": Decimal("2.71828182845904523536028747135266249775724709369995957496697"),
}
