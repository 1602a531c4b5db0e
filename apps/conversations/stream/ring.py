"""The events of one run, in memory, for everybody in this process who follows it.

Guarantees:
- numbers only rise: epoch * EPOCH_SPAN + n, without a gap inside an epoch;
- a delta is shown at once, a fact (and what comes after it) only when it is committed;
- an event leaves memory only when it is committed, so log and ring together hold every number;
- a reader is a cursor and nothing else: a slow one costs no memory and delays nobody.
"""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

import msgspec

from apps.conversations.stream.events import EPOCH_SPAN, Batch, Event

Fact: TypeAlias = tuple[str, bytes]
Write: TypeAlias = Callable[[Batch], Awaitable[None]]
WINDOW = 256 * 1024


class Ring:
    """The newest events of an open run. All methods belong to the event loop's thread."""

    def __init__(
        self, run_id: str, *, epoch: int, committed: int = 0, window: int = WINDOW
    ) -> None:
        """`committed`: how many events of the epoch the log has already."""
        self.run_id = run_id
        # What is numbered up to here stands in the log only.
        self.floor = epoch * EPOCH_SPAN + committed
        self.shown = self.floor
        self.last = self.floor
        self.closed = False
        self._saved = self.floor
        self._events: list[Event] = []
        self._facts: deque[int] = deque()  # not committed yet
        self._size, self._window = 0, window
        self._key, self._parts = ("", 0), list[str]()
        self._changed = asyncio.Event()
        self._flushing = asyncio.Lock()

    def delta(self, name: str, message_id: int, text: str) -> None:
        """Deltas of one turn of the loop (what one read delivered) become one event."""
        if self._parts and self._key != (name, message_id):
            self._merge()
        if not self._parts:
            asyncio.get_running_loop().call_soon(self._merge)
        self._key = (name, message_id)
        self._parts.append(text)

    def fact(self, name: str, data: bytes) -> int:
        """Nobody sees it, nor what follows, before `flush` has committed it."""
        self._merge()
        seq = self._append(name, data)
        self._facts.append(seq)
        return seq

    def since(self, cursor: int) -> list[Event]:
        """What may be shown after the cursor, if the cursor is not below the floor."""
        return self._events[cursor - self.floor : self.shown - self.floor]

    async def changed(self) -> None:
        await self._changed.wait()

    def abandon(self) -> None:
        """The lease is lost: what is not shown never happened, readers go on with the log."""
        self._parts.clear()
        self._facts.clear()
        del self._events[self.shown - self.floor :]
        self.last = self.shown
        self.closed = True
        self._wake()

    @property
    def unsaved(self) -> bool:
        """Whether a flush would write something."""
        return not self.closed and (bool(self._parts) or self.last > self._saved)

    @property
    def complete(self) -> bool:
        """Whether it has ended and all of it stands in the log."""
        return self.closed and self._saved == self.last

    async def flush(self, write: Write) -> None:
        """Hand all that is not committed to the log, as one batch.

        If `write` raises, the next flush offers the same events again and those that came
        since: a batch grown under the same first number, which replaces what the log may have.
        """
        async with self._flushing:
            self._merge()
            if not self.closed:
                await self._save(write)

    async def finish(self, facts: Sequence[Fact], write: Write) -> None:
        """The last events, in one batch with all that waits; `flush` never takes them.

        If `write` raises, call it again: the facts are told once. Readers get them committed.
        """
        async with self._flushing:
            if not self.closed:
                self._merge()
                for name, data in facts:
                    self.fact(name, data)
                self.closed = True
            await self._save(write)

    async def _save(self, write: Write) -> None:
        events = self._events[self._saved - self.floor :]
        if events:
            await write(Batch.of(events))
            self._commit(events[-1].seq)

    def _merge(self) -> None:
        if self._parts:
            name, message_id = self._key
            text = msgspec.json.encode("".join(self._parts))
            self._parts.clear()
            self._append(name, b'{"messageId":%d,"delta":%b}' % (message_id, text))
            self._show()

    def _append(self, name: str, data: bytes) -> int:
        if self.closed:
            raise RuntimeError(f"run {self.run_id} is closed")
        self.last += 1
        self._events.append(Event(seq=self.last, name=name, data=data))
        self._size += len(data)
        return self.last

    def _commit(self, last: int) -> None:
        self._saved = last
        while self._facts and self._facts[0] <= last:
            self._facts.popleft()
        self._show()
        self._trim()

    def _show(self) -> None:
        self.shown = self._facts[0] - 1 if self._facts else self.last
        self._wake()

    def _wake(self) -> None:
        self._changed.set()  # resolves all who wait now …
        self._changed.clear()  # … and makes the next ones wait

    def _trim(self) -> None:
        drop = 0
        while self._size > self._window and self.floor + drop < self._saved:
            self._size -= len(self._events[drop].data)
            drop += 1
        del self._events[:drop]
        self.floor += drop
