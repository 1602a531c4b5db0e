"""How often a job is started, and how long after a failure it is started again.

At most four starts, 1, 4 and 16 s after each failure, later where the error says so
(`retry_after`, seconds); none after an error that no repetition mends.
"""

from django.core.exceptions import ObjectDoesNotExist, PermissionDenied
from django.db import DataError

STARTS = 4
PAUSES = (1.0, 4.0, 16.0)
PERMANENT = (
    ValueError,
    TypeError,
    LookupError,
    ObjectDoesNotExist,
    PermissionError,
    PermissionDenied,
    DataError,
)


def pause_after(error: BaseException, starts: int) -> float | None:
    """Seconds from the failure of that many starts to the next; None: there is no next."""
    if starts >= STARTS or isinstance(error, PERMANENT):
        return None
    asked = getattr(error, "retry_after", None)
    return max(PAUSES[max(starts, 1) - 1], asked if isinstance(asked, int | float) else 0.0)
