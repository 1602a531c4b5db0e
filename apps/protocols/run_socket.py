"""
The WebSocket twin of the event stream: the same events of the same runs, as JSON frames.

Guarantees: `hello` comes first; each followed run arrives whole and in order, from the cursor the
client names; a client that does not acknowledge is closed with 4408 and has cost no more than the
window; actions are done one after the other, one that was begun is finished, a refused one is
answered; a flood costs a bounded queue; who may not be here any more is closed.
"""

import asyncio
import logging
from abc import ABC, abstractmethod
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import structlog
from channels.consumer import get_handler_name
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.utils import translation
from django.utils.translation import gettext as _

from apps.conversations.refusals import invalid, rate_limited
from apps.lib import api_problems
from apps.lib.problem import RefusedError
from apps.lib.trace import new_trace_id
from apps.protocols.event_stream import EventSource
from apps.protocols.finishing import finished
from apps.protocols.flood import Flood
from apps.protocols.frames import (
    Action,
    EventFrames,
    RefusedFrameError,
    plain_frame,
    read_action,
    refused_frame,
)
from apps.protocols.window import AckWindow, NotAcknowledgedError

logger = logging.getLogger(__name__)

POLICY, BROKEN, RESTART, BUSY = 1008, 1011, 1012, 1013
NOT_ACKNOWLEDGED = 4408
CLOSE_CODES = {401: 4401, 403: 4403, 404: 4404, 429: BUSY, 503: BUSY}
LOST = (401, 403, 404)
ON_THE_LOOP = 4096
"""The longest frame, in characters, that is parsed between two turns of the loop."""


class RunSocket(AsyncWebsocketConsumer, ABC):
    """One socket of one conversation; a subclass says who may open it and what it can do."""

    channel_layer_alias = "none"  # nobody but its client sends it messages
    window_bytes: ClassVar[int] = 256 * 1024
    ack_seconds: ClassVar[float] = 5.0
    recheck_seconds: ClassVar[float] = 30.0
    farewell_seconds: ClassVar[float] = 0.5
    waiting_actions: ClassVar[int] = 16
    followed_runs: ClassVar[int] = 8

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.language = ""
        self._window = AckWindow(self.window_bytes)
        self._frames = EventFrames()
        self._flood = Flood(burst=400, per_second=100)
        self._actions: asyncio.Queue[Action | str] = asyncio.Queue(self.waiting_actions)
        self._pumps: dict[str, asyncio.Task[None]] = {}
        self._known: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._end: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    @abstractmethod
    async def admit(self) -> Mapping[str, object]:
        """Authenticate, and give the data of `hello`. Raises RefusedError."""

    @abstractmethod
    async def act(self, action: Action, trace_id: str) -> None:
        """Every action but `ack`. Raises RefusedError."""

    @abstractmethod
    async def recheck(self) -> None:
        """Raises RefusedError once the client may not be here any more."""

    @abstractmethod
    async def watch(self) -> None:
        """Follow later runs as they are started, until cancelled."""

    async def dispatch(self, message: dict[str, Any]) -> None:
        # Channels closes old database connections before every frame, in the one thread-sensitive
        # thread: a row lock held there would stall all sockets. The ORM is behind the bridge.
        await getattr(self, get_handler_name(message))(message)

    async def connect(self) -> None:
        try:
            hello = await self.admit()
        except RefusedError as refused:
            self._end.cancel()
            await self.accept()  # before a close: a refused handshake has no close code
            await self.close(CLOSE_CODES.get(refused.problem.status, POLICY))
            return
        await self.accept()
        await self.send(text_data=plain_frame("hello", hello))
        for work in (self._work(), self.watch(), self._recheck_often(), self._leave_last()):
            self._spawn(work)
        self._spawn(self._close_at_end())

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self._end.done():
            return
        if not self._flood.admits(len(text_data or bytes_data or "")):
            self.end(POLICY)
            return
        try:
            with translation.override(self.language):
                self._take(self._read(text_data))
        except RefusedFrameError as refused:
            await self._refuse(refused, new_trace_id())

    async def websocket_disconnect(self, message: Mapping[str, Any]) -> None:
        raise StopConsumer

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._end.cancel()
            await _cancelled(self._tasks)

    def end(self, code: int) -> None:
        """Close the socket, soon; the first code stands."""
        if not self._end.done():
            self._end.set_result(code)

    def knows(self, run_id: str) -> bool:
        """Whether the run has been followed here, ever."""
        return run_id in self._known

    def follows(self, run_id: str) -> bool:
        return run_id in self._pumps

    async def follow(self, run_id: str, source: EventSource) -> None:
        """Send a run; a second call for the same run replaces the first."""
        if (before := self._pumps.pop(run_id, None)) is not None:
            await _cancelled({before})
        elif len(self._pumps) >= self.followed_runs:
            raise rate_limited(_("同时跟随的运行过多。"), retry_after=1)
        if self._end.done():
            return
        self._known.add(run_id)
        self._frames.restart(run_id)
        pump = self._pumps[run_id] = self._spawn(self._pump(run_id, source))
        pump.add_done_callback(lambda done: self._pumped(run_id, done))

    def _pumped(self, run_id: str, pump: "asyncio.Task[None]") -> None:
        if self._pumps.get(run_id) is pump:
            del self._pumps[run_id]

    async def _pump(self, run_id: str, source: EventSource) -> None:
        while events := await source.next():
            for event in events:
                text = self._frames.write(run_id, event)
                size = len(text.encode())
                await self._window.room_for(size, seconds=self.ack_seconds)
                self._window.sent(run_id, event.seq, size)
                await self.send(text_data=text)

    def _read(self, text: str | None) -> Action | str:
        """The action, or the text of a frame that is too long to be read here."""
        if text is None:
            problem = invalid({"": [_("请以文本帧发送 JSON。")]}).problem
            raise RefusedFrameError(problem)
        return text if len(text) > ON_THE_LOOP else read_action(text)

    def _take(self, frame: Action | str) -> None:
        """Acknowledgements count at once, whatever action is being done."""
        ref = frame.ref if isinstance(frame, Action) else None
        try:
            if isinstance(frame, Action) and frame.name == "ack":
                self._window.acknowledge(frame.text("runId"), frame.number("seq"))
            elif self._actions.full():
                raise rate_limited(_("动作过多，请稍后再试。"), retry_after=1)
            else:
                self._actions.put_nowait(frame)
        except RefusedError as refused:
            raise RefusedFrameError(refused.problem, ref) from refused

    async def _work(self) -> None:
        while True:
            frame, trace_id = await self._actions.get(), new_trace_id()
            with structlog.contextvars.bound_contextvars(trace_id=trace_id):
                try:
                    await self._perform(frame, trace_id)
                except RefusedFrameError as refused:
                    await self._refuse(refused, trace_id)
                    if refused.problem.status in LOST:
                        await self._recheck()

    async def _perform(self, frame: Action | str, trace_id: str) -> None:
        action = frame if isinstance(frame, Action) else await self._parsed(frame)
        with translation.override(self.language):
            done = await finished(self.act(action, trace_id))
        error = done.exception()
        if isinstance(error, RefusedError):
            raise RefusedFrameError(error.problem, action.ref)
        if error is not None:
            logger.error("An action failed", exc_info=error)
            with translation.override(self.language):
                raise RefusedFrameError(api_problems.internal_error(), action.ref)

    async def _parsed(self, text: str) -> Action:
        with translation.override(self.language):
            return await asyncio.to_thread(read_action, text)

    async def _refuse(self, refused: RefusedFrameError, trace_id: str) -> None:
        problem = replace(refused.problem, trace_id=trace_id)
        await self.send(text_data=refused_frame(problem, refused.ref))

    async def _recheck_often(self) -> None:
        while True:
            await asyncio.sleep(self.recheck_seconds)
            await self._recheck()

    async def _recheck(self) -> None:
        try:
            await self.recheck()
        except RefusedError as refused:
            if refused.problem.status in LOST:
                self.end(CLOSE_CODES[refused.problem.status])

    async def _leave_last(self) -> None:
        """When the server goes down: what the runs still tell is sent first."""
        closing = self.scope.get("closing")
        if isinstance(closing, asyncio.Event):
            await closing.wait()
            if self._pumps:
                await asyncio.wait(self._pumps.values(), timeout=self.farewell_seconds)
            self.end(RESTART)

    async def _close_at_end(self) -> None:
        code = await self._end
        await _cancelled(self._tasks - {asyncio.current_task()})
        await self.close(code)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> "asyncio.Task[None]":
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if task.cancelled() or (error := task.exception()) is None:
            return
        if isinstance(error, NotAcknowledgedError):
            self.end(NOT_ACKNOWLEDGED)
        else:
            logger.error("A part of a socket failed", exc_info=error)
            self.end(BROKEN)


async def _cancelled(tasks: "set[Any]") -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
