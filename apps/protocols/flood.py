"""How much a client may send: a bucket that fills at a steady rate."""

import time

COUNTS_AS_ONE = 10_000


class Flood:
    """A burst is fine, a flood is not: each frame takes one from the bucket, a long one more."""

    def __init__(self, *, burst: int, per_second: float) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._left = float(burst)
        self._since = time.monotonic()

    def admits(self, size: int) -> bool:
        """Whether one more frame of this size may come now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._since) * self._per_second)
        self._since = now
        self._left -= 1 + size // COUNTS_AS_ONE
        return self._left >= 0
