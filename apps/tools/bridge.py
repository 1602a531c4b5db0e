"""Where tools' bodies run: bounded threads of their own, so that a stuck tool stalls no request.

`await attempt(function, seconds)` never raises what the function raises: it is a value, also when
it is no ordinary exception, which the loop would not survive.
"""

import asyncio
import contextvars
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

from apps.lib import bridge
from apps.tools.outcome import Late, Raised

R = TypeVar("R")
THREADS = 8
_executor = ThreadPoolExecutor(THREADS, thread_name_prefix="tool")


async def attempt(function: Callable[[], R], seconds: float) -> R | Raised | Late:
    """The function's result, what it raised, or that it is late; late, it may still be running."""
    bridge.check_open()
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    context = contextvars.copy_context()
    future: Future[R] = _executor.submit(context.run, bridge.with_connection, function)

    def tell(_: object) -> None:
        with suppress(RuntimeError):  # late, and the loop has ended meanwhile
            loop.call_soon_threadsafe(ended.set)

    future.add_done_callback(tell)
    try:
        async with asyncio.timeout(seconds):
            await ended.wait()
    except TimeoutError:
        future.cancel()
        return Late()
    if (error := future.exception()) is not None:  # an error may be false, too
        return Raised(error=error)
    return future.result()
