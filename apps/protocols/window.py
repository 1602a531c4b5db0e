"""
The acknowledgement window of a WebSocket, which has no back-pressure of its own in daphne.

Guarantee: no more than `limit` bytes are on their way to a client that does not acknowledge them,
but for one frame: clients acknowledge after `ACK_BYTES`, so whatever comes next is sent while less
than that is out, however large it is, or a client that does all right would wait for ever.
"""

import asyncio
from collections import deque
from typing import NamedTuple

ACK_BYTES = 64 * 1024


class _Sent(NamedTuple):
    run_id: str
    seq: int
    size: int


class NotAcknowledgedError(Exception):
    """The window stayed full for too long."""


class AckWindow:
    """Frames sent and not acknowledged, in the order in which they were sent, over all runs."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._frames: deque[_Sent] = deque()
        self._size = 0
        self._acknowledged = asyncio.Event()

    async def room_for(self, size: int, *, seconds: float) -> None:
        """Wait until the frame fits. Raises NotAcknowledgedError when it does not in time."""
        if self._fits(size):
            return
        try:
            async with asyncio.timeout(seconds):
                while not self._fits(size):
                    self._acknowledged.clear()
                    await self._acknowledged.wait()
        except TimeoutError as error:
            raise NotAcknowledgedError from error

    def sent(self, run_id: str, seq: int, size: int) -> None:
        self._frames.append(_Sent(run_id, seq, size))
        self._size += size

    def acknowledge(self, run_id: str, seq: int) -> None:
        """That frame has arrived, and with it all that was sent before, of whatever run."""
        arrived = [
            place
            for place, frame in enumerate(self._frames, start=1)
            if frame.run_id == run_id and frame.seq <= seq
        ]
        for _place in range(max(arrived, default=0)):
            self._size -= self._frames.popleft().size
        self._acknowledged.set()

    def _fits(self, size: int) -> bool:
        return self._size < ACK_BYTES or self._size + size <= self._limit
