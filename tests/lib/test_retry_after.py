"""Retry-After in both of its forms, and everything that is neither."""

from datetime import UTC, datetime

import pytest

from apps.lib.retry_after import LONGEST, seconds_to_wait

NOW = datetime(2026, 11, 30, 12, 0, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0", 0.0),
        ("7", 7.0),
        (" 1.5 ", 1.5),
        ("9" * 400, LONGEST),
        ("Mon, 30 Nov 2026 12:00:30 GMT", 30.0),
        ("Monday, 30-Nov-26 12:00:30 GMT", 30.0),
        ("Mon, 30 Nov 2026 12:00:30 -0000", 30.0),
        ("Mon, 30 Nov 2026 11:00:00 GMT", 0.0),
        ("Mon, 30 Nov 2099 11:00:00 GMT", LONGEST),
    ],
)
def test_seconds_and_dates_are_read(value: str, seconds: float) -> None:
    assert seconds_to_wait(value, now=NOW) == seconds


@pytest.mark.parametrize("value", ["", "soon", "-5", "inf", "NaN", "1e9", "٣", "Mon, 99 Nov 2026"])
def test_anything_else_is_not_an_answer(value: str) -> None:
    assert seconds_to_wait(value, now=NOW) is None
