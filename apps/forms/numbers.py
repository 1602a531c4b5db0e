"""Numbers as a browser has and prints them."""

from decimal import Decimal
from math import isfinite

EXACT = 2**53
"""Up to here every whole number is a double."""


def is_number(value: object) -> bool:
    """A JSON number; True and False are none, though Python counts with them."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def as_double(value: int | float) -> int | float | None:
    """The double nearest to `value`, an int where that says the same; None when there is none."""
    try:
        double = float(value)
    except OverflowError:
        return None
    if not isfinite(double):
        return None
    return int(double) if double.is_integer() and abs(double) <= EXACT else double


def print_number(value: int | float) -> str:
    """A finite number as `String(value)` prints it (ECMAScript, Number::toString)."""
    double = float(value)
    if double == 0:
        return "0"
    sign = "-" if double < 0 else ""
    figure = Decimal(repr(abs(double))).normalize().as_tuple()
    digits = "".join(map(str, figure.digits))
    return sign + _place(digits, len(digits) + int(figure.exponent))


def _place(digits: str, point: int) -> str:
    """`digits` with the decimal point after the first `point` of them."""
    if len(digits) <= point <= 21:
        return digits.ljust(point, "0")
    if 0 < point <= 21:
        return f"{digits[:point]}.{digits[point:]}"
    if -6 < point <= 0:
        return "0." + digits.rjust(len(digits) - point, "0")
    mantissa = digits if len(digits) == 1 else f"{digits[0]}.{digits[1:]}"
    return f"{mantissa}e{point - 1:+d}"
