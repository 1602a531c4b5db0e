"""A run that this process holds: its ring, its lease, and its stop.

Guarantee: every write is fenced and is the heartbeat. A run whose lease was not renewed for
`STALE_S` by this process's own clock is let go before it starts another call.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any

from apps.conversations.host.errors import NOT_WRITTEN, LeaseLostError
from apps.conversations.stream.events import Batch
from apps.conversations.stream.ring import Ring
from apps.conversations.units import EventFlush, Fence, LeaseLost, Standing
from apps.lib.failpoint import hit
from apps.lib.writer.rounds import Unit
from apps.runtime.stopping import StopSignal

logger = logging.getLogger(__name__)
RENEW_S = 5.0
STALE_S = 10.0

Submit = Callable[[Unit[Standing]], Awaitable[Standing]]


class ActiveRun:
    """One held run. All methods belong to the event loop's thread."""

    def __init__(self, fence: Fence, *, committed: int, submit: Submit) -> None:
        self.fence = fence
        self.ring = Ring(fence.run_id, epoch=fence.epoch, committed=committed)
        self.stop = StopSignal()
        self.work: asyncio.Task[None] | None = None
        self.lost = False
        self.begun = time.monotonic()
        self._renewed = self.begun
        self._submit = submit
        self._writes: set[asyncio.Task[None]] = set()

    def is_stale(self) -> bool:
        """Whether another may believe by now that this host is gone."""
        return self.lost or time.monotonic() - self._renewed >= STALE_S

    def lose(self) -> None:
        """Let go of the run: whoever drives it here ends now, and writes nothing more."""
        self.lost = True
        if self.work is not None:
            self.work.cancel()

    def kick(self) -> None:
        """Write what is not written yet, soon; readers wait for a fact until then."""
        self._spawn(self.flush())

    def tick(self) -> None:
        """Every quarter of a second: write what waits, renew what was silent, let go of lost."""
        if self.is_stale():
            self.lose()
        elif self._writes:
            return
        elif self.ring.unsaved:
            self.kick()
        elif time.monotonic() - self._renewed >= RENEW_S:
            self._spawn(self.write(EventFlush(fence=self.fence)))

    async def flush(self) -> None:
        """Hand all events to the log; raises LeaseLostError, or one of `NOT_WRITTEN`."""
        await self.ring.flush(self._write_batch)

    async def write(self, unit: Unit[Standing]) -> None:
        """One fenced write; its answer may ask the run to stop."""
        asked = time.monotonic()
        standing = await self._submit(unit)
        if isinstance(standing, LeaseLost):
            self.lose()
            raise LeaseLostError(self.fence.run_id)
        self._renewed = asked
        if standing.cancel_requested:
            self.stop.request()

    async def _write_batch(self, batch: Batch) -> None:
        await self.write(EventFlush(fence=self.fence, batch=batch))
        hit("flush.committed")

    def _spawn(self, write: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(self._try(write))
        self._writes.add(task)
        task.add_done_callback(self._writes.discard)

    async def _try(self, write: Coroutine[Any, Any, None]) -> None:
        try:
            await write
        except LeaseLostError:
            logger.warning("run %s: the lease is lost", self.fence.run_id)
        except NOT_WRITTEN as error:
            logger.warning("run %s: not written, will try again: %r", self.fence.run_id, error)
