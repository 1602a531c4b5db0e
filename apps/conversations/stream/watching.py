"""Telling the readers of a conversation of every later run, wherever it is started.

Guarantees: a run started by this process is told at once, one started elsewhere within a second,
each once to each watch; all watches of a process together cost one small query a second.
"""

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError

from apps.conversations import bridge
from apps.conversations.stream.later_runs import Found, Known
from apps.lib.bridge import LockTimeoutError

logger = logging.getLogger(__name__)
LOOK_S = 1.0


class Watch:
    """One reader's wait for the runs that it does not know."""

    def __init__(self, message_id: int) -> None:
        self.message_id = message_id
        """The message of the newest run that a look has told."""
        self._told: set[str] = set()
        self._news: asyncio.Queue[str | None] = asyncio.Queue()

    async def next(self) -> str | None:
        """The id of the next later run; None when the conversation is gone."""
        return await self._news.get()

    def tell(self, run_id: str) -> None:
        if run_id not in self._told:
            self._told.add(run_id)
            self._news.put_nowait(run_id)

    def take(self, found: Found) -> None:
        if found.gone:
            self._news.put_nowait(None)
        for message_id, run_id in found.runs:
            if message_id > self.message_id:
                self.message_id = message_id
                self.tell(run_id)


class Watching:
    """All watches of a process. All methods belong to the event loop's thread."""

    def __init__(self) -> None:
        self._watches: dict[str, set[Watch]] = {}
        self._known: dict[str, Known] = {}
        self._looking: asyncio.Task[None] | None = None

    @contextmanager
    def watch(self, conversation_id: str, *, message_id: int) -> Iterator[Watch]:
        """A watch for the runs behind that of `message_id`, the newest that the reader knows."""
        watch = Watch(message_id)
        together = self._watches.setdefault(conversation_id, set())
        together.add(watch)
        # Whatever came between the reader's look and this is found by the next look.
        oldest = min(one.message_id for one in together)
        self._known[conversation_id] = Known(moment=None, message_id=oldest)
        if self._looking is None or self._looking.done():
            self._looking = asyncio.create_task(self._look_often())
        try:
            yield watch
        finally:
            self._forget(conversation_id, watch)

    def tell(self, conversation_id: str, run_id: str) -> None:
        """A run was started here; those who watch need not wait for the next look."""
        for watch in self._watches.get(conversation_id, ()):
            watch.tell(run_id)

    def _forget(self, conversation_id: str, watch: Watch) -> None:
        watches = self._watches[conversation_id]
        watches.discard(watch)
        if watches:
            return
        del self._watches[conversation_id]
        self._known.pop(conversation_id, None)
        if not self._watches and self._looking is not None:
            self._looking.cancel()
            self._looking = None

    async def _look_often(self) -> None:
        while True:
            try:
                await self._look()
            except (DatabaseError, LockTimeoutError) as error:
                logger.warning("looking for later runs failed, will be done again: %r", error)
            await asyncio.sleep(LOOK_S)

    async def _look(self) -> None:
        asked = dict(self._known)
        for conversation_id, found in (await bridge.look_for_runs(asked)).items():
            for watch in self._watches.get(conversation_id, ()):
                watch.take(found)
            self._advance(conversation_id, asked[conversation_id], found)

    def _advance(self, conversation_id: str, before: Known, found: Found) -> None:
        if self._known.get(conversation_id) is not before:
            return  # somebody joined meanwhile, who may know less
        if found.gone:
            del self._known[conversation_id]
            return
        newest = found.runs[-1][0] if found.runs else before.message_id
        self._known[conversation_id] = Known(moment=found.moment, message_id=newest)


watches = Watching()
"""This process's own."""
