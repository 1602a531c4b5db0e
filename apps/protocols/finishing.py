"""Work that is done to its end, whatever becomes of the client that asked for it."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

T = TypeVar("T")


async def finished(work: Coroutine[Any, Any, T]) -> "asyncio.Task[T]":
    """The work as a task that is done; its exception is the caller's to judge.

    A task of its own, and `wait` instead of `await`: cancelled with its client in mid-way, a run
    that was started would have nobody to drive it.
    """
    task = asyncio.create_task(work)
    _unfinished.add(task)
    task.add_done_callback(_unfinished.discard)
    await asyncio.wait((task,))
    return task


_unfinished: set["asyncio.Task[Any]"] = set()
