"""
Server-sent events as a raw ASGI application, for a route in Channels' URLRouter.

Guarantees: no thread and no more than `max_body` bytes of body per request; nothing is sent before
`prepare` has agreed; what `prepare` began it finishes, also when the client has left; a bug in it
is a 500 with a trace id and nothing else; a client that leaves ends the stream at once, one that
does not read ends it after `unwritable_seconds`; one whose rights are gone is cut within
`recheck_seconds`; memory for unsent bytes is one page of events.
"""

import asyncio
import logging
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from http import HTTPStatus
from typing import Any, ClassVar, Protocol

import structlog
from django.utils import translation
from django.utils.translation import gettext as _

from apps.conversations.stream.events import Event
from apps.lib import api_problems
from apps.lib.api_json import too_large
from apps.lib.problem import Problem, RefusedError
from apps.lib.trace import trace_id_of
from apps.protocols.asgi import Receive, Scope, Send, header, read_body, send_problem, until_gone
from apps.protocols.django_request import language_of
from apps.protocols.finishing import finished
from apps.protocols.flow import Flow

logger = logging.getLogger(__name__)

Headers = Sequence[tuple[bytes, bytes]]

HEADERS: Headers = (
    (b"Content-Type", b"text/event-stream; charset=utf-8"),
    (b"Cache-Control", b"no-cache, no-transform"),
    (b"X-Accel-Buffering", b"no"),
    (b"X-Content-Type-Options", b"nosniff"),
)
HEARTBEAT = b": still here\n\n"


class EventSource(Protocol):
    """Where events come from: a subscription, or a test's list."""

    async def next(self) -> Sequence[Event]:
        """The next events, waiting for them; empty at the end. Safe to cancel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StreamRequest:
    """What preparation may know. The body is refused when it is read, after authentication."""

    scope: Scope
    content: bytes | None  # None: larger than the cap, and not kept
    trace_id: str

    def body(self) -> bytes:
        if self.content is None:
            raise too_large()
        return self.content

    def header(self, name: bytes) -> str:
        return header(self.scope, name)

    def path_argument(self, name: str) -> str:
        return str(self.scope["url_route"]["kwargs"][name])


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenStream:
    """What preparation agreed to: the events, and the headers of this answer.

    `recheck` raises RefusedError once the client may not go on reading.
    """

    events: EventSource
    headers: Headers = ()
    recheck: Callable[[], Awaitable[None]] | None = None


class StalledError(Exception):
    """The client has not taken bytes for too long."""


class EventStream(ABC):
    """One SSE endpoint; a subclass says what `prepare` checks and starts."""

    method: ClassVar[str] = "POST"
    max_body: ClassVar[int] = 1_000_000
    heartbeat_seconds: ClassVar[float] = 15.0
    unwritable_seconds: ClassVar[float] = 5.0
    recheck_seconds: ClassVar[float] = 30.0

    @abstractmethod
    async def prepare(self, request: StreamRequest) -> OpenStream:
        """Authenticate, validate, start: one call across the bridge. Raises RefusedError."""

    def encode(self, events: Sequence[Event]) -> bytes:
        """The bytes of one write; another protocol overrides this and nothing else."""
        return b"".join(map(frame, events))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        trace_id = trace_id_of(header(scope, b"traceparent"))
        with structlog.contextvars.bound_contextvars(trace_id=trace_id):
            if scope["method"] != self.method:
                await send_problem(send, _not_allowed(scope, trace_id), {"Allow": self.method})
                return
            try:
                content = await read_body(receive, self.max_body)
            except ConnectionError:
                return
            request = StreamRequest(scope=scope, content=content, trace_id=trace_id)
            await self._answer(await self._prepared(request), request, receive, send)

    async def _prepared(self, request: StreamRequest) -> OpenStream | Problem:
        work = await finished(self.prepare(request))
        error = work.exception()
        if error is None:
            return work.result()
        if isinstance(error, RefusedError):
            return replace(error.problem, trace_id=request.trace_id)
        logger.error("Preparing a stream failed", exc_info=error)
        return _failed(request)

    async def _answer(
        self, prepared: OpenStream | Problem, request: StreamRequest, receive: Receive, send: Send
    ) -> None:
        if isinstance(prepared, Problem):
            scheme = (
                {"WWW-Authenticate": "Token"} if prepared.status == HTTPStatus.UNAUTHORIZED else {}
            )
            await send_problem(send, prepared, scheme)
        else:
            pump = self._pump(prepared, Flow.of(request.scope), send)
            await until_gone(pump, receive)

    async def _pump(self, stream: OpenStream, flow: Flow, send: Send) -> None:
        headers = [*HEADERS, *stream.headers]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send(_body(b""))  # daphne holds the headers back until there is a body
        rights = _Recheck(stream.recheck, every=self.recheck_seconds)
        whole = False
        try:
            while (chunk := await self._next_chunk(stream.events, rights.due)) is not None:
                await rights.when_due()
                await self._writable(flow)
                await send(_body(chunk))
            whole = True
        except StalledError:
            logger.info("A stream was cut: its client does not read")
        except RefusedError as refused:
            logger.info("A stream was cut: %s", refused.problem.code)
        finally:
            if not whole:
                flow.abort()  # to return would leave the socket, and what it buffers, open
        if whole:
            await send({"type": "http.response.body", "body": b""})

    async def _next_chunk(self, source: EventSource, due: float) -> bytes | None:
        patience = min(self.heartbeat_seconds, max(due - time.monotonic(), 0))
        try:
            async with asyncio.timeout(patience) as silence:
                events = await source.next()
        except TimeoutError:
            if not silence.expired():
                raise
            return HEARTBEAT
        return self.encode(events) if events else None

    async def _writable(self, flow: Flow) -> None:
        if flow.writable.is_set():
            return
        try:
            async with asyncio.timeout(self.unwritable_seconds):
                await flow.writable.wait()
        except TimeoutError as error:
            raise StalledError from error


class _Recheck:
    """The repeated question whether a client may go on; one that cannot be asked is asked again."""

    def __init__(self, ask: Callable[[], Awaitable[None]] | None, *, every: float) -> None:
        self._ask = ask
        self._every = every
        self.due = time.monotonic() + every

    async def when_due(self) -> None:
        """RefusedError when it is time to ask, and the answer is no."""
        if time.monotonic() < self.due:
            return
        self.due = time.monotonic() + self._every
        if self._ask is not None:
            try:
                await self._ask()
            except RefusedError as refused:
                if refused.problem.status != HTTPStatus.SERVICE_UNAVAILABLE:
                    raise


def frame(event: Event) -> bytes:
    """JSON holds no line break, so one `data` line is enough."""
    return b"id: %d\nevent: %b\ndata: %b\n\n" % (event.seq, event.name.encode(), event.data)


def _body(chunk: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": chunk, "more_body": True}


def _not_allowed(scope: Scope, trace_id: str) -> Problem:
    with translation.override(language_of(scope)):
        title = _("不支持的请求方法")
    return Problem(status=405, code="method_not_allowed", title=title, trace_id=trace_id)


def _failed(request: StreamRequest) -> Problem:
    with translation.override(language_of(request.scope)):
        return replace(api_problems.internal_error(), trace_id=request.trace_id)
