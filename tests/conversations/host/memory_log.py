"""A log in memory that is slow, paged, and fails."""

import asyncio
import random
from collections.abc import Sequence

from apps.conversations.stream.events import Batch, Event
from apps.conversations.stream.log import Page
from apps.conversations.stream.ring import Ring


class MemoryLog:
    """Keeps batches by first number, one a page, and yields to the loop around each access."""

    def __init__(self, chance: random.Random | None = None) -> None:
        self.batches: dict[int, Batch] = {}
        self.chance = chance
        self.open = True

    async def read(self, run_id: str, *, after: int, upto: int) -> Sequence[Batch]:
        await self._delay()
        found = [b for b in self.batches.values() if b.last > after and b.first <= upto]
        await self._delay()
        return sorted(found, key=lambda b: b.first)[:1]

    async def page(self, run_id: str, *, after: int) -> Page:
        is_open = self.open
        return Page(batches=await self.read(run_id, after=after, upto=2**60), open=is_open)

    async def write(self, batch: Batch) -> None:
        await self._delay()
        if self.chance and self.chance.random() < 0.1:
            raise OSError("before the commit")
        self.batches[batch.first] = batch
        await self._delay()
        if self.chance and self.chance.random() < 0.1:
            raise OSError("after the commit")

    async def _delay(self) -> None:
        for _ in range(self.chance.randrange(4) if self.chance else 0):
            await asyncio.sleep(0)


class RisingLog(MemoryLog):
    """While it is read, the run goes on, is committed and leaves memory."""

    def __init__(self, ring: Ring) -> None:
        super().__init__()
        self.ring = ring

    async def read(self, run_id: str, *, after: int, upto: int) -> Sequence[Batch]:
        found = await super().read(run_id, after=after, upto=upto)
        if self.ring.last == self.ring.floor:
            self.ring.fact("message.restated", b"{}")
            await self.ring.flush(self.write)
        return found


def names(events: Sequence[Event]) -> list[str]:
    return [event.name for event in events]
