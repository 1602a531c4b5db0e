"""
The small parts of raw ASGI: headers, a capped body, a refusal, work that ends with its client.

Guarantees: a body larger than the limit is not kept; the work is over when `until_gone` returns.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from typing import Any

from apps.lib.problem import CONTENT_TYPE, Problem

Scope = dict[str, Any]
Send = Callable[[dict[str, Any]], Awaitable[None]]
Receive = Callable[[], Awaitable[dict[str, Any]]]


def header(scope: Scope, name: bytes) -> str:
    """The first header of this (lower case) name, or an empty text."""
    found = [value for key, value in scope["headers"] if key == name]
    return found[0].decode("latin-1") if found else ""


async def read_body(receive: Receive, limit: int) -> bytes | None:
    """The body, or None as soon as it is longer than the limit; ConnectionError when cut."""
    body = bytearray()
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ConnectionError("the client left before its request was complete")
        body += message.get("body", b"")
        if len(body) > limit:
            return None
        if not message.get("more_body", False):
            return bytes(body)


async def send_problem(send: Send, problem: Problem, more: Mapping[str, str] | None = None) -> None:
    """The whole answer; `more` are headers beside those of every refusal."""
    body = problem.encode()
    named = {
        "Content-Type": CONTENT_TYPE.decode(),
        "Content-Length": str(len(body)),
        "Cache-Control": "no-store",
        "X-Content-Type-Options": "nosniff",
        "X-Trace-Id": problem.trace_id,
        **problem.headers(),
        **(more or {}),
    }
    headers = [(name.encode(), value.encode()) for name, value in named.items()]
    await send({"type": "http.response.start", "status": problem.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def until_gone(work: Coroutine[Any, Any, None], receive: Receive) -> None:
    """Do the work, but not longer than the client is there."""
    pump = asyncio.create_task(work)
    gone = asyncio.create_task(_disconnected(receive))
    try:
        await asyncio.wait((pump, gone), return_when=asyncio.FIRST_COMPLETED)
        if pump.done():
            pump.result()
    finally:
        pump.cancel()
        gone.cancel()
        await asyncio.gather(pump, gone, return_exceptions=True)


async def _disconnected(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass
