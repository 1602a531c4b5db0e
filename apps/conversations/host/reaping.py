"""Reaping in the background: every process that serves does it, with or without a host.

So a run ends within a lease and `REAP_S` of its host's death, while any process lives.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable

from apps.conversations import bridge
from apps.conversations.host.errors import PASSING

logger = logging.getLogger(__name__)
REAP_S = 15.0


class Reaper:
    """Ends runs whose lease has run out: at once, and again and again until `stopping` is set."""

    async def run(self, stopping: asyncio.Event) -> None:
        reaping = asyncio.create_task(every(REAP_S, bridge.reap))
        stopped = asyncio.create_task(stopping.wait())
        try:
            await asyncio.wait({reaping, stopped}, return_when=asyncio.FIRST_COMPLETED)
            if reaping.done():
                reaping.result()  # only a fault ends it
        finally:
            await cancelled(reaping, stopped)


async def every(seconds: float, work: Callable[[], Awaitable[object]]) -> None:
    """At once, then with pauses of so many seconds; ended by a fault that will not pass."""
    while True:
        await survived(work())
        await asyncio.sleep(seconds)


async def survived(work: Awaitable[object]) -> None:
    """Work that will be done again anyway."""
    try:
        await work
    except PASSING as error:
        logger.warning("background work failed, will be done again: %r", error)


async def cancelled(*tasks: "asyncio.Task[object]") -> None:
    """Cancel them all and wait until they are gone."""
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks)
