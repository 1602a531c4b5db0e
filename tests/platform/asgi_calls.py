"""One request through the whole ASGI application, without a socket."""

import asyncio
from dataclasses import dataclass
from typing import Any

from config.asgi import application


@dataclass(frozen=True, kw_only=True)
class Answer:
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes


async def ask(method: str, path: str, *, headers: dict[str, str], body: bytes = b"") -> Answer:
    """The whole answer."""
    sent: list[dict[str, Any]] = []
    incoming = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if not incoming:
            await asyncio.Event().wait()  # the client stays; who asks is cancelled at the end
        return incoming.pop()

    async def send(message: dict[str, Any]) -> None:
        sent.append(message)

    await application(_scope(method, path, headers, len(body)), receive, send)
    start = next(m for m in sent if m["type"] == "http.response.start")
    return Answer(
        status=start["status"],
        headers={k.decode().lower(): v.decode("latin-1") for k, v in start["headers"]},
        body=b"".join(m.get("body", b"") for m in sent if m["type"] == "http.response.body"),
    )


def _scope(method: str, path: str, headers: dict[str, str], length: int) -> dict[str, Any]:
    everything = {"host": "testserver", "content-length": str(length), **headers}
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(k.lower().encode(), v.encode()) for k, v in everything.items()],
        "client": ["127.0.0.1", 40000],
        "server": ["testserver", 80],
    }
