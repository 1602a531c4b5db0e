"""The only source of time; leases alone use the database's clock instead.

In `APP_MODE=test` the environment's `CLOCK_OFFSET_S` (seconds) shifts it.
"""

import os
from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """The present, aware, in UTC."""
    return datetime.now(UTC) + _offset()


def _offset() -> timedelta:
    if os.environ.get("APP_MODE") != "test":
        return timedelta()
    return timedelta(seconds=float(os.environ.get("CLOCK_OFFSET_S", "0")))
