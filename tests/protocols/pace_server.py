"""A server of paced streams on the product's own base classes: `python -m` it; no database.

It prints its port, and `ended after SECONDS` when it ends. `POST /paced` plays a script,
`GET /relay?HEX` sends ready bytes, `/figures` tells what happened, `/stubborn` will not be
cancelled, `/broken` has a bug.
"""

import asyncio
import json
import sys
import threading
import time
from argparse import ArgumentParser
from collections import deque
from collections.abc import Sequence
from typing import Any

import django
from django.conf import settings

from tests.server import ROOT

# Neither apps nor a database: what is tested here needs none.
settings.configure(
    SECRET_KEY="paced",
    LANGUAGE_CODE="zh-hans",
    LANGUAGES=[("zh-hans", "Chinese"), ("en", "English")],
    LOCALE_PATHS=[ROOT / "locale"],
)
django.setup()

import msgspec  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.urls import path  # noqa: E402

from apps.conversations.stream.events import Event  # noqa: E402
from apps.lib import api_problems  # noqa: E402
from apps.lib.problem import RefusedError  # noqa: E402
from apps.protocols.asgi import Receive, Scope, Send  # noqa: E402
from apps.protocols.event_stream import EventStream, OpenStream, StreamRequest  # noqa: E402
from apps.protocols.server import Background, StreamServer  # noqa: E402

ended: deque[float] = deque(maxlen=200)
playing: set["Script"] = set()
asked_to_end: list[float] = []


class Script(msgspec.Struct, eq=False, kw_only=True):
    """What a stream plays: `events` of `size` characters, `interval` seconds apart."""

    events: int = 10
    interval: float = 0.0
    size: int = 8


class PacedSource:
    """Makes the script's events when they are due; the last one is `run.completed`."""

    def __init__(self, script: Script) -> None:
        self._script = script
        self._count = 0
        self._due = time.monotonic()

    async def next(self) -> Sequence[Event]:
        if self._count > self._script.events:
            playing.discard(self._script)
            return ()
        await asyncio.sleep(max(self._due - time.monotonic(), 0))
        self._due += self._script.interval
        self._count += 1
        last = self._count > self._script.events
        data = json.dumps({"text": "" if last else "x" * self._script.size})
        name = "run.completed" if last else "message.delta"
        return [Event(seq=self._count, name=name, data=data.encode())]


class PacedStream(EventStream):
    """Plays what the body asks for, for those who know the token."""

    unwritable_seconds = 3.0
    heartbeat_seconds = 0.5

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            ended.append(time.monotonic())

    async def prepare(self, request: StreamRequest) -> OpenStream:
        if request.header(b"authorization") != "Token secret":
            raise RefusedError(api_problems.not_authenticated())
        script = msgspec.json.decode(request.body(), type=Script)
        playing.add(script)
        return OpenStream(events=PacedSource(script), headers=[(b"X-Run-Id", b"paced")])


async def work(stopping: asyncio.Event) -> None:
    """As a run host does: when asked to stop, let what plays come to its end."""
    await stopping.wait()
    asked_to_end.append(time.monotonic())
    while playing:  # noqa: ASYNC110, a test's own server
        await asyncio.sleep(0.01)


async def relay(scope: Scope, receive: Receive, send: Send) -> None:
    script = msgspec.json.decode(bytes.fromhex(scope["query_string"].decode()), type=Script)
    body = b'id: 1\nevent: message.delta\ndata: {"text":"%b"}\n\n' % (b"x" * script.size)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    try:
        for _ in range(script.events):
            await send({"type": "http.response.body", "body": body, "more_body": True})
            await asyncio.sleep(script.interval)
    except asyncio.CancelledError:
        sys.stdout.write("relay cancelled\n")
        raise
    await send({"type": "http.response.body", "body": b""})


async def figures(scope: Scope, receive: Receive, send: Send) -> None:
    known = {
        "threads": threading.active_count(),
        "ended": list(ended),
        "unready": scope["unready"](),
        "shared": scope["shared"],
        "path": scope["path"],
        "root": scope["root_path"],
    }
    body = json.dumps(known).encode()
    headers = [(b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": body})


async def stubborn(scope: Scope, receive: Receive, send: Send) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"here", "more_body": True})
    while True:
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            continue


def main() -> None:
    parser = ArgumentParser()
    parser.add_argument("--drain", type=float, default=5.0)
    applications: dict[str, Any] = {
        "paced": PacedStream(),
        "relay": relay,
        "figures": figures,
        "stubborn": stubborn,
    }
    routes = [path(name, application) for name, application in applications.items()]
    server = StreamServer(
        ProtocolTypeRouter({"http": URLRouter(routes)}),
        endpoints=["tcp:port=0:interface=127.0.0.1"],
        background=[Background(name="work", run=work)],
        shared={"shared": "by all"},
        drain_seconds=parser.parse_args().drain,
        started=lambda host, port: print(port, flush=True),  # noqa: T201, its interface
    )
    server.run()
    sys.stdout.write(f"ended after {time.monotonic() - asked_to_end[0]:.2f}\n")


if __name__ == "__main__":
    main()
