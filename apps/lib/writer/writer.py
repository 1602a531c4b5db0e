"""The writer: one thread and one connection per process for all hot rows.

Coroutines hand in typed units; each round writes what waits (at most 200) in one transaction.

Guarantees:
- A unit is written whole or not at all, and its answer comes after the commit.
- A bad unit fails alone: when a round fails, its units are written one by one.
- A caller waits `patience` seconds at most. `WriteRefusedError`: nothing was written and nothing
  will be. `WriteUnknownError`: the writer had begun; the row, or its absence, tells.
- A full queue refuses. When the thread dies, all who wait fail and `ready` is false.
"""

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

from django.db import connection

from apps.lib.writer.fairness import Turn
from apps.lib.writer.job import Job, WriteRefusedError, WriteUnknownError, settle_all
from apps.lib.writer.rounds import Plan, Unit, is_alive, keep_connection

logger = logging.getLogger(__name__)
R = TypeVar("R")
ROUND = 200


class Writer:
    """`start()` it, `await submit(unit)` from its loop only, `await close()` to flush."""

    def __init__(
        self,
        plan: Plan,
        *,
        loop: asyncio.AbstractEventLoop,
        patience: float = 2.0,
        capacity: int = 2000,
    ) -> None:
        self._plan, self._loop, self._patience, self._capacity = plan, loop, patience, capacity
        self._queue: queue.SimpleQueue[Job[Any] | None] = queue.SimpleQueue()
        self._hand: list[Job[Any]] = []
        self._turn = Turn()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._open = True

    def start(self) -> None:
        self._thread.start()

    @property
    def ready(self) -> bool:
        """What the readiness check asks."""
        return self._open and self._thread.is_alive()

    async def submit(self, unit: Unit[R]) -> R:
        """The unit's answer, after its commit; else the error that kept it from being written."""
        deadline = time.monotonic() + self._patience
        job: Job[R] = Job(unit=unit, answer=self._loop.create_future(), deadline=deadline)
        self._put(job)
        waking = self._loop.call_later(self._patience, job.expire)
        try:
            return await job.answer  # nobody else waits for it: a cancelled caller spoils no round
        finally:
            waking.cancel()
            job.take()  # nobody waits any more: what is still in the queue is never written
            job.answer.cancel()

    async def close(self) -> None:
        """Refuse new units, write those that wait, end the thread."""
        self._open = False
        self._queue.put(None)
        await asyncio.to_thread(self._thread.join)

    def _put(self, job: Job[Any]) -> None:
        if type(job.unit) not in self._plan.kinds:
            raise TypeError(f"no plan for {type(job.unit).__name__}")
        # Only the loop's thread puts, so nothing comes between this test and the put.
        if self._queue.qsize() >= self._capacity:
            raise WriteRefusedError("full")
        if self._open:
            self._queue.put(job)
        # A thread that dies clears `_open`, then empties the queue: asked after the put,
        # either we see the flag or it sees the job.
        if not self.ready and job.take():
            raise WriteRefusedError("down")

    def _run(self) -> None:
        try:
            for jobs in self._rounds():
                with self._turn.round:
                    answers = self._write(jobs)
                self._settle(zip(jobs, answers, strict=True))
                self._turn.give()
        finally:
            self._open = False
            self._fail_waiting()
            connection.close()

    def _rounds(self) -> Iterator[list[Job[Any]]]:
        """What waits, again and again, until the mark that `close` puts last."""
        while job := self._turn.wait(self._queue.get):
            waiting = [job]
            while len(waiting) < ROUND and not self._queue.empty():
                if (job := self._queue.get()) is None:
                    self._queue.put(None)
                    break
                waiting.append(job)
            if hand := [job for job in waiting if not job.is_late() and job.take()]:
                self._hand = hand
                yield hand
                self._hand = []

    def _write(self, jobs: list[Job[Any]]) -> list[Any]:
        session = None
        try:
            session = keep_connection()
            return self._plan.commit([job.unit for job in jobs])
        except Exception as error:
            if session is None:
                logger.exception("no connection, %d units refused", len(jobs))
                return [WriteRefusedError("no connection")] * len(jobs)
            # A lost connection may have committed: to write again could charge twice.
            if not is_alive(session):
                logger.exception("connection lost, %d units unknown", len(jobs))
                return [WriteUnknownError("connection lost")] * len(jobs)
            if len(jobs) == 1:
                return [error]
            logger.warning("%d units failed together, trying each", len(jobs), exc_info=True)
        late = WriteRefusedError("late")
        return [late if job.is_late() else self._write([job])[0] for job in jobs]

    def _settle(self, answers: Iterable[tuple[Job[Any], Any]]) -> None:
        with suppress(RuntimeError):  # the loop has ended, and with it all who waited
            self._loop.call_soon_threadsafe(settle_all, list(answers))

    def _fail_waiting(self) -> None:
        answers: list[tuple[Job[Any], Any]] = []
        answers += [(job, WriteUnknownError("down")) for job in self._hand]
        while not self._queue.empty():
            if job := self._queue.get():
                answers.append((job, WriteRefusedError("down")))
        self._settle(answers)
