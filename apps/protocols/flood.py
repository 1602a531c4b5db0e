"""How many frames a client may send: a bucket that fills at a steady rate."""

import time


class Flood:
    """A burst is fine, a flood is not: each frame takes one from the bucket."""

    def __init__(self, *, burst: int, per_second: float) -> None:
        self._burst = float(burst)
        self._per_second = per_second
        self._left = float(burst)
        self._since = time.monotonic()

    def admits(self) -> bool:
        """Whether one more frame may come now."""
        now = time.monotonic()
        self._left = min(self._burst, self._left + (now - self._since) * self._per_second)
        self._since = now
        if self._left < 1:
            return False
        self._left -= 1
        return True
