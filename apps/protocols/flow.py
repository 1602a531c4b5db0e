"""
What daphne does not do for a connection: tell its application whether the client still takes
bytes, and refuse a body that is too large before it has been received.

Guarantees: `scope["flow"].writable` is clear while more than Twisted's 64 KiB wait to be sent; no
request costs more memory than its share of MAX_BODY; a client that is refused can read why.
"""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from daphne.http_protocol import WebRequest

from apps.lib.problem import CONTENT_TYPE, PAYLOAD_TOO_LARGE
from apps.lib.trace import new_trace_id

MAX_BODY = 10 * 1024 * 1024  # the largest body any route takes; streams cap theirs lower
LINGER_SECONDS = 2.0
CONTENT_TYPE_HEADER = b"Content-Type"


def _too_large() -> bytes:
    """The whole answer: Twisted's request is not ready to write one while it receives."""
    problem = replace(PAYLOAD_TOO_LARGE, trace_id=new_trace_id())
    body = problem.encode()
    head = (
        "HTTP/1.1 413 Request Entity Too Large\r\n"
        f"Content-Type: {CONTENT_TYPE.decode()}\r\n"
        "Cache-Control: no-store\r\n"
        f"X-Trace-Id: {problem.trace_id}\r\n"
        f"Connection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


def _always_writable() -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


@dataclass(frozen=True, slots=True, kw_only=True)
class Flow:
    """The application's view of its connection; the default fits servers whose `send` waits."""

    writable: asyncio.Event = field(default_factory=_always_writable)
    abort: Callable[[], None] = lambda: None

    @classmethod
    def of(cls, scope: Mapping[str, Any]) -> "Flow":
        flow = scope.get("flow")
        return flow if isinstance(flow, Flow) else cls()


class FlowRequest(WebRequest):
    """A daphne request that is the push producer of its own answer (Twisted's names)."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.flow = Flow(abort=self._abort)
        self._received = 0
        self._refused = False
        self._content_types: list[bytes] | None = None

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        if length is not None and length > MAX_BODY:
            self._refuse()
        super().gotLength(None if self._refused else length)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        # daphne hands over the whole body in one go, after the last byte: an application that
        # counts what it receives is too late.
        self._received += len(data)
        if self._received > MAX_BODY:
            self._refuse()
        if not self._refused:
            super().handleContentChunk(data)

    def requestReceived(self, command: bytes, path: bytes, version: bytes) -> None:  # noqa: N802
        # Twisted would parse a form here, on the loop, for a dictionary that nobody reads, and
        # answer a broken one by itself: it sees no content type until `process`.
        self._content_types = self.requestHeaders.getRawHeaders(CONTENT_TYPE_HEADER)
        self.requestHeaders.removeHeader(CONTENT_TYPE_HEADER)
        super().requestReceived(command, path, version)

    def process(self) -> Any:
        if self._content_types:
            self.requestHeaders.setRawHeaders(CONTENT_TYPE_HEADER, self._content_types)
        if self._refused:
            self.channel.loseConnection()  # all is swallowed: a clean end
            return None
        # daphne takes its root path from this header, and so from anybody.
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        if not self.requestHeaders.hasHeader(b"Upgrade"):
            self.registerProducer(self, True)
        return super().process()

    def finish(self) -> None:
        if self.producer is not None:
            self.unregisterProducer()
        super().finish()

    def pauseProducing(self) -> None:  # noqa: N802
        self.flow.writable.clear()

    def resumeProducing(self) -> None:  # noqa: N802
        self.flow.writable.set()

    def stopProducing(self) -> None:  # noqa: N802
        self.flow.writable.set()

    def _abort(self) -> None:
        if self.channel is not None:
            self.transport.abortConnection()

    def _refuse(self) -> None:
        """Answer at once, then swallow for a while: closing on unread bytes resets the answer."""
        if self._refused:
            return
        self._refused = True
        self.requestHeaders.removeHeader(b"Expect")
        self.channel.write(_too_large())
        asyncio.get_running_loop().call_later(LINGER_SECONDS, self._abort)
