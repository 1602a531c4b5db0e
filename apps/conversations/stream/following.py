"""Following any run to its end: live where this process drives it, else by polling the log.

Guarantees: every number after the cursor once and in order, across epochs and processes; the end
comes after a final `run.completed`, or when the run is over and nothing follows the cursor. A run
that is removed while it is followed ends cancelled, whether it was followed by ring or log.
"""

import asyncio
from collections.abc import Sequence
from typing import Protocol

from apps.conversations.bridge import OrmLog
from apps.conversations.stream.encode import run_completed
from apps.conversations.stream.events import EPOCH_SPAN, Batch, Event, ends_run, numbered
from apps.conversations.stream.log import Page
from apps.conversations.stream.ring import Ring
from apps.conversations.stream.subscription import Subscription
from apps.runtime.messages import Usage

QUICK_S = 0.1
SLOW_S = 1.0


class FollowedLog(Protocol):
    """Where the committed events are read."""

    async def read(self, run_id: str, *, after: int, upto: int) -> Sequence[Batch]: ...

    async def page(self, run_id: str, *, after: int) -> Page: ...


class Following:
    """One reader's place in one run. A ring that ends in mid-run is followed by the log."""

    def __init__(self, run_id: str, *, after: int, log: FollowedLog, ring: Ring | None) -> None:
        self.run_id = run_id
        self.cursor = after
        self._log = log
        self._live = Subscription(ring, log=log, after=after) if ring else None
        self._pause = 0.0
        self._over = False

    async def next(self) -> Sequence[Event]:
        """The next events, waiting for them; empty at the end. Safe to cancel."""
        while not self._over:
            events = await (self._live.next() if self._live else self._poll())
            if events:
                self.cursor = events[-1].seq
                self._over = ends_run(events[-1])
                return events
            self._live = None
        return ()

    async def _poll(self) -> Sequence[Event]:
        while True:
            await asyncio.sleep(self._pause)
            page = await self._log.page(self.run_id, after=self.cursor)
            if events := page.events(self.cursor):
                self._pause = 0.0  # there may be another page
                return events
            if page.gone:
                return [_removed(self.run_id, self.cursor)]
            if not page.open:
                self._over = True
                return ()
            self._pause = min(max(self._pause * 1.5, QUICK_S), SLOW_S)


def _removed(run_id: str, cursor: int) -> Event:
    """The end of a run that was removed with its conversation: told here, it stands in no log."""
    end = run_completed(run_id=run_id, status="cancelled", finish_reason=None, usage=Usage())
    return numbered(cursor // EPOCH_SPAN + 1, [end])[0]


def follow(run_id: str, after: int = 0) -> Following:
    """Follow a run from a process that does not drive it."""
    return Following(run_id, after=after, log=OrmLog(), ring=None)
