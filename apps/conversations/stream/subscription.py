"""Reading a run that is live in this process: from the log while behind, then from the ring.

Guarantee: every number after the cursor is delivered once and in order, however far behind the
reader is, and whether the events it missed are in memory or in the log.
"""

from collections.abc import Sequence
from typing import Protocol

from apps.conversations.stream.events import Batch, Event
from apps.conversations.stream.ring import Ring


class EventLog(Protocol):
    """The committed batches of all runs."""

    async def read(self, run_id: str, *, after: int, upto: int) -> Sequence[Batch]:
        """The oldest batches that hold numbers in (after, upto], one page of them."""


class Subscription:
    """One reader's place in one ring."""

    def __init__(self, ring: Ring, *, log: EventLog, after: int = 0) -> None:
        self.cursor = after
        self._ring = ring
        self._log = log

    async def next(self) -> Sequence[Event]:
        """The events after the cursor, waiting for them if need be; empty when the ring ends.

        Safe to cancel, as a heartbeat does: the cursor moves only when events are handed over.
        (An async generator would not be: a cancelled one is finished.)
        """
        ring = self._ring
        while True:
            behind = self.cursor < ring.floor
            events = await self._catch_up() if behind else ring.since(self.cursor)
            if events:
                self.cursor = events[-1].seq
                return events
            if ring.closed and self.cursor >= ring.last:
                return ()
            if self.cursor >= ring.shown:
                await ring.changed()

    async def _catch_up(self) -> Sequence[Event]:
        # Read the floor before the log: all up to it was committed before it rose, so a page
        # without events means that nothing is left below it.
        floor = self._ring.floor
        batches = await self._log.read(self._ring.run_id, after=self.cursor, upto=floor)
        events = [e for batch in batches for e in batch.cut(after=self.cursor, upto=floor)]
        if not events:
            self.cursor = floor
        return events
