"""The Retry-After header: how long another server wants to be left alone."""

import re
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST = 366 * 24 * 3600.0
"""Whatever is asked for beyond this, in seconds, says no more than this."""


def seconds_to_wait(value: str, *, now: datetime) -> float | None:
    """Return the seconds that the header asks for; None when it cannot be read.

    Both forms of RFC 9110 are read: seconds and a date. A date in the past asks for nothing.
    """
    value = value.strip()
    if re.fullmatch(r"[0-9]+(\.[0-9]+)?", value):
        return min(float(value[:20]), LONGEST)
    try:
        date = parsedate_to_datetime(value)
    except ValueError:
        return None
    if date.tzinfo is None:  # "-0000": the sender does not say its zone, HTTP knows only GMT
        date = date.replace(tzinfo=UTC)
    return min(max((date - now).total_seconds(), 0.0), LONGEST)
