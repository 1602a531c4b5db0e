"""
The server process: daphne with background work, a drain before the end, and a readiness.

Guarantees: on SIGTERM readiness turns red, background work is asked to stop and has DRAIN_SECONDS
for it, open streams get its last events, then sockets are closed (1012), and only then connections
are cut; the process is gone after DRAIN_SECONDS + CLOSE_SECONDS * 5 at the latest, whatever task
hangs (a hung thread still holds the interpreter: threads need time limits of their own).

Nothing may import twisted.internet.reactor before daphne.server does, or the loop is the wrong one.
"""

import asyncio
import logging
import sys
from collections.abc import Callable, Coroutine, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeAlias

from daphne import http_protocol
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory
from twisted.internet import defer, reactor

from apps.protocols.asgi import Scope
from apps.protocols.flow import FlowRequest
from apps.protocols.socket_protocol import ServerSocket

logger = logging.getLogger(__name__)

SWITCH_SECONDS = 0.0005  # at 5 ms one busy thread costs the loop 5 ms a wake-up
DRAIN_SECONDS = 20.0
CLOSE_SECONDS = 1.0

Future: TypeAlias = "asyncio.Future[Any]"


@dataclass(frozen=True, slots=True, kw_only=True)
class Background:
    """Work that lives as long as the server; it returns soon after `stopping` is set."""

    name: str
    run: Callable[[asyncio.Event], Coroutine[Any, Any, None]]


class StreamServer(Server):
    """daphne's server, built by `manage.py serve`: its command ends in mid-stream on SIGTERM."""

    def __init__(
        self,
        application: object,
        *,
        endpoints: Sequence[str],
        background: Sequence[Background] = (),
        shared: Mapping[str, object] | None = None,
        drain_seconds: float = DRAIN_SECONDS,
        started: Callable[[str, int], None] = lambda host, port: None,
    ) -> None:
        super().__init__(application, endpoints=list(endpoints), server_name="")
        self.background = background
        self.shared = shared or {}  # what every scope carries, as the run host
        self.drain_seconds = drain_seconds
        self.started = started
        self.stopping = asyncio.Event()
        self.closing = asyncio.Event()  # in every scope: sockets end themselves, last of all
        self.listen_failure = ""
        self._tasks: dict[str, asyncio.Task[None]] = {}

    def run(self) -> None:
        sys.setswitchinterval(SWITCH_SECONDS)
        # daphne's factories take the classes by these names and have no parameters for them.
        http_protocol.WebRequest = FlowRequest  # type: ignore[misc]
        WebSocketFactory.protocol = ServerSocket
        reactor.callWhenRunning(self._start)
        super().run()

    def unready(self) -> tuple[str, ...]:
        """Why this process should get no new work; empty when it should."""
        if self.stopping.is_set():
            return ("draining",)
        if not self._tasks and self.background:
            return ("starting",)
        return tuple(f"{name} ended" for name, task in self._tasks.items() if task.done())

    def listen_error(self, failure: Any) -> None:
        """daphne logs it and returns from `run` as if all were well."""
        self.listen_failure = failure.getErrorMessage()
        super().listen_error(failure)

    def create_application(self, protocol: Any, scope: Scope) -> Any:
        scope.update(self.shared, unready=self.unready, closing=self.closing)
        if isinstance(protocol, FlowRequest):
            scope["flow"] = protocol.flow
        return super().create_application(protocol, scope)

    def kill_all_applications(self) -> "defer.Deferred[Any]":
        # Twisted waits for what this trigger returns, but not for the triggers beside it.
        return defer.Deferred.fromFuture(
            asyncio.ensure_future(self._shut_down(super().kill_all_applications))
        )

    def _start(self) -> None:
        for work in self.background:
            task = asyncio.ensure_future(work.run(self.stopping))
            task.add_done_callback(partial(self._ended, work.name))
            self._tasks[work.name] = task
        self.started(*self.listening_addresses[0])

    def _ended(self, name: str, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            logger.error("Background work %s failed", name, exc_info=task.exception())
        elif not self.stopping.is_set():
            logger.error("Background work %s ended while the server runs", name)

    async def _shut_down(self, kill: Callable[[], object]) -> None:
        self.stopping.set()
        late = await _unfinished(self._tasks.values(), self.drain_seconds)
        for task in late:
            task.cancel()
        await _unfinished(late, CLOSE_SECONDS)
        # Streams whose run has ended write their last frames and end by themselves.
        await _unfinished(self._applications(FlowRequest), CLOSE_SECONDS)
        self.closing.set()
        await _unfinished(self._applications(), CLOSE_SECONDS)
        self._complete_connections()
        kill()  # cancels at once; what it returns waits for ever on a task that swallows it
        await _unfinished(self._applications(), CLOSE_SECONDS)
        await _written(CLOSE_SECONDS)

    def _applications(self, kind: type = object) -> list[Future]:
        """Those that run for connections of this kind."""
        connections = self.connections.items()
        found = [c.get("application_instance") for p, c in connections if isinstance(p, kind)]
        return [application for application in found if application is not None]

    def _complete_connections(self) -> None:
        # daphne's kill raises KeyError on a connection without an application (a body that is
        # still arriving, an answer already given) and then cancels nobody.
        nothing: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        nothing.set_result(None)
        for connection in self.connections.values():
            connection.setdefault("application_instance", nothing)


async def _written(seconds: float) -> None:
    """Wait until no socket holds unsent bytes: the reactor drops them when it ends."""
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            # It tells nobody when the last one is gone. (The interface lacks `self`.)
            while reactor.getWriters():  # type: ignore[misc]  # noqa: ASYNC110
                await asyncio.sleep(0.01)


async def _unfinished(tasks: Iterable[Future], seconds: float) -> set[Future]:
    """Those of the tasks that still run after the time given."""
    waiting = set(tasks)
    if not waiting:
        return set()
    _, late = await asyncio.wait(waiting, timeout=seconds)
    return late
