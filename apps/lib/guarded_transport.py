"""Transports for httpx2 whose connections lead only where the guard lets them.

A connection goes to an address that the guard has just looked at; the name is not looked up again,
so it cannot turn meanwhile. TLS is still proved for the name. Unix sockets are not connected to.
"""

import asyncio
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any

import httpcore2
import httpx2

from apps.lib.egress import EgressRefusedError, Guard


class GuardedTransport(httpx2.HTTPTransport):
    """Whatever a client is told to ask goes through the guard; after `ends` nothing goes."""

    def __init__(
        self, guard: Guard, *, verify: ssl.SSLContext | None = None, ends: float | None = None
    ) -> None:
        context = verify or httpx2.create_ssl_context()
        super().__init__(verify=context)
        self._guard = guard
        self._pool = httpcore2.ConnectionPool(
            ssl_context=context, network_backend=_Backend(guard, ends)
        )

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        self._guard.place(str(request.url))
        return super().handle_request(request)


class GuardedAsyncTransport(httpx2.AsyncHTTPTransport):
    """The same for an event loop; the caller bounds the time."""

    def __init__(self, guard: Guard, *, verify: ssl.SSLContext | None = None) -> None:
        context = verify or httpx2.create_ssl_context()
        super().__init__(verify=context)
        self._guard = guard
        self._pool = httpcore2.AsyncConnectionPool(
            ssl_context=context, network_backend=_AsyncBackend(guard)
        )

    async def handle_async_request(self, request: httpx2.Request) -> httpx2.Response:
        self._guard.place(str(request.url))
        return await super().handle_async_request(request)


def _left(ends: float | None, timeout: float | None) -> float | None:
    """The time that remains of both; httpcore's time-out when there is none."""
    if ends is None:
        return timeout
    left = ends - time.monotonic()
    if left <= 0:
        raise httpcore2.ReadTimeout("the time for all of it is over")
    return left if timeout is None else min(left, timeout)


class _Backend(httpcore2.NetworkBackend):
    """Connects to what the guard returned, in its order."""

    def __init__(self, guard: Guard, ends: float | None) -> None:
        self._guard, self._ends, self._system = guard, ends, httpcore2.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.NetworkStream:
        wait = _left(self._ends, timeout)
        addresses = _in_time(lambda: self._guard.addresses(host, port), wait)
        failure: Exception = httpcore2.ConnectError(host)
        for address in addresses:
            wait = _left(self._ends, timeout)
            try:
                stream = self._system.connect_tcp(
                    address, port, wait, local_address, socket_options or ()
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
            else:
                return stream if self._ends is None else _Timed(stream, self._ends)
        raise failure


@dataclass(slots=True)
class _Timed(httpcore2.NetworkStream):
    """A connection on which one time runs out for all reads and writes together."""

    _stream: httpcore2.NetworkStream
    _ends: float

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _left(self._ends, timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _left(self._ends, timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        wait = _left(self._ends, timeout)
        return _Timed(self._stream.start_tls(ssl_context, server_hostname, wait), self._ends)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _AsyncBackend(httpcore2.AsyncNetworkBackend):
    """Connects to what the guard returned, in its order; names are looked up in a thread."""

    def __init__(self, guard: Guard) -> None:
        self._guard, self._system = guard, httpcore2.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109, the library's signature
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                addresses = await asyncio.to_thread(self._guard.addresses, host, port)
        except TimeoutError as error:
            raise httpcore2.ConnectTimeout(host) from error
        failure: Exception = httpcore2.ConnectError(host)
        for address in addresses:
            try:
                return await self._system.connect_tcp(
                    address, port, timeout, local_address, socket_options
                )
            except (httpcore2.ConnectError, httpcore2.ConnectTimeout) as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


def _in_time(resolve: Callable[[], tuple[str, ...]], seconds: float | None) -> tuple[str, ...]:
    """The system's resolver knows no time-out: it is left to itself when it takes too long."""
    answer: Future[tuple[str, ...]] = Future()

    def ask() -> None:
        try:
            answer.set_result(resolve())
        except EgressRefusedError as error:
            answer.set_exception(error)

    threading.Thread(target=ask, name="resolve", daemon=True).start()
    try:
        return answer.result(seconds)
    except TimeoutError as error:
        raise httpcore2.ConnectTimeout("the name server does not answer") from error
