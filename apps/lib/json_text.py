"""JSON that somebody else wrote; faults are told in words of our own, never in Python's.

The words are English and for machines and logs; who speaks to people translates them by `KINDS`.
"""

import json
import math
import re
from typing import Any

KINDS = {
    "syntax": re.compile(r"not valid JSON at character (\d+)"),
    "constant": re.compile(r"not valid JSON: (NaN|-?Infinity)"),
    "depth": re.compile("nested too deeply()"),
    "number_size": re.compile("a number is too large()"),
}
"""What can be wrong; the group is what is told of it."""


class JsonTextError(ValueError):
    """Why the text is no JSON that can be kept: one of `KINDS`."""


def read_json(text: str) -> Any:
    """The value; JsonTextError for what is no JSON, nested too deeply, or has no finite number."""
    try:
        return json.loads(text, parse_constant=_no_constant, parse_float=_finite)
    except json.JSONDecodeError as error:
        raise JsonTextError(f"not valid JSON at character {error.pos + 1}") from None
    except RecursionError:
        raise JsonTextError("nested too deeply") from None
    except JsonTextError:
        raise
    except ValueError:  # an integer of more digits than Python reads
        raise JsonTextError("a number is too large") from None


def is_json(text: str) -> bool:
    """Whether the text is one whole JSON value that can be kept."""
    try:
        read_json(text)
    except JsonTextError:
        return False
    return True


def _no_constant(name: str) -> float:
    raise JsonTextError(f"not valid JSON: {name}")


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise JsonTextError("a number is too large")
    return number
