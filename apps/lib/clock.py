"""The only source of time; leases alone use the database's clock instead.

In `APP_MODE=test` the environment's `CLOCK_OFFSET_S` (seconds) shifts it; `manage.py run_due --at`
moves it for its own process.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta


class _Moved:
    """How far this process has been moved from the present."""

    by = timedelta()


def now() -> datetime:
    """The present, aware, in UTC."""
    return datetime.now(UTC) + _offset() + _Moved.by


@contextmanager
def moved_to(moment: datetime) -> Iterator[None]:
    """Inside, in every thread of this process, time goes on from `moment` (aware)."""
    before = _Moved.by
    _Moved.by += moment - now()
    try:
        yield
    finally:
        _Moved.by = before


def _offset() -> timedelta:
    if os.environ.get("APP_MODE") != "test":
        return timedelta()
    return timedelta(seconds=float(os.environ.get("CLOCK_OFFSET_S", "0")))
