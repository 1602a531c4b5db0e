"""One unit on its way through the writer, and the two ways it can end without an answer."""

import asyncio
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from apps.lib.writer.rounds import Unit

R = TypeVar("R")


class WriteRefusedError(Exception):
    """Nothing was written for this unit, and nothing will be."""


class WriteUnknownError(Exception):
    """The writer had begun this unit when the wait, the connection or the thread ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job(Generic[R]):
    """A unit, who waits for it, and until when."""

    unit: Unit[R]
    answer: asyncio.Future[R]
    deadline: float
    ticket: threading.Lock = field(default_factory=threading.Lock)

    def take(self) -> bool:
        """Whoever takes the ticket decides: the writer writes, or the caller gives up."""
        return self.ticket.acquire(blocking=False)

    def is_late(self) -> bool:
        return time.monotonic() >= self.deadline

    def expire(self) -> None:
        """In the loop's thread: the caller waits no longer."""
        self.settle(WriteRefusedError("late") if self.take() else WriteUnknownError("late"))

    def settle(self, answer: R | Exception) -> None:
        """In the loop's thread; without effect when the caller has gone."""
        if self.answer.done():
            return
        if isinstance(answer, Exception):
            self.answer.set_exception(answer)
        else:
            self.answer.set_result(answer)


def settle_all(answers: Iterable[tuple[Job[Any], Any]]) -> None:
    for job, answer in answers:
        job.settle(answer)
