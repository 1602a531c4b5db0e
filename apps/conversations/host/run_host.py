"""The run host of one process: it holds runs, drives them, and lets others follow.

Guarantees: a held run ends whatever becomes of its driving (its own end, a bug, the going down of
this process), or is left to the reaper when its lease is lost; whoever follows gets every event.
"""

import asyncio
import logging
import os
import secrets
import socket
from typing import Any, TypeVar

import structlog

from apps.conversations import bridge, registry
from apps.conversations.host.active import ActiveRun
from apps.conversations.host.claiming import Claim
from apps.conversations.host.drive import drive
from apps.conversations.host.errors import PASSING, LeaseLostError
from apps.conversations.host.failing import INTERNAL, INTERRUPTED, Failure
from apps.conversations.host.reaping import REAP_S, cancelled, every, survived
from apps.conversations.services.starting import StartedRun
from apps.conversations.stream.following import Following
from apps.conversations.units import Fence, plan
from apps.lib.failpoint import hit
from apps.lib.writer.job import WriteRefusedError
from apps.lib.writer.rounds import Unit
from apps.lib.writer.writer import Writer
from apps.runtime.errors import RunError

logger = logging.getLogger(__name__)
R = TypeVar("R")
SLOTS = 64
TICK_S = 0.25
LOOK_S = 1.0


class RunHost:
    """Everything but `run` is synchronous and belongs to the event loop's thread."""

    def __init__(self, *, slots: int = SLOTS) -> None:
        # 40 characters hold it: a name of any length, then what makes it unique.
        self.owner = f"{socket.gethostname()[:22]}:{os.getpid()}:{secrets.token_hex(4)}"
        self._slots = slots
        self._held: dict[str, ActiveRun] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._let_go: set[str] = set()
        self._look_now = asyncio.Event()
        self._writer: Writer | None = None
        self._open = False

    @property
    def ready(self) -> bool:
        """Whether runs may be given to this host: what the readiness check asks."""
        return self._open and self._writer is not None and self._writer.ready

    @property
    def held(self) -> int:
        """How many runs are driven here now."""
        return len(self._held)

    def has_slot(self) -> bool:
        return self.ready and len(self._held) < self._slots

    def adopt(self, started: StartedRun) -> None:
        """Drive a run that `start_run` claimed for `owner`; from now on it can be followed."""
        fence = Fence(started.run_id, started.epoch, self.owner)
        self._begin(Claim(fence=fence, committed=started.openings))

    def follow(self, run_id: str, after: int = 0) -> Following:
        active = self._held.get(run_id)
        ring = active.ring if active else None
        return Following(run_id, after=after, log=bridge.OrmLog(), ring=ring)

    def stop(self, run_id: str) -> None:
        """Stop a run at once if it is driven here; its row has been asked already."""
        if active := self._held.get(run_id):
            active.stop.request()

    def kick(self) -> None:
        """Look for queued runs now rather than within a second."""
        self._look_now.set()

    async def submit(self, unit: Unit[R]) -> R:
        """The writer's `submit`; refused while this host is not running."""
        if self._writer is None:
            raise WriteRefusedError("not running")
        return await self._writer.submit(unit)

    async def run(self, stopping: asyncio.Event) -> None:
        """All background work, until `stopping` is set and the held runs have ended.

        Cancelled before that (the drain is over), it ends the rest as interrupted.
        """
        self._writer = Writer(plan(), loop=asyncio.get_running_loop())
        self._writer.start()
        self._open = True
        background = [
            asyncio.create_task(every(TICK_S, self._tick)),
            asyncio.create_task(self._look_often()),
            asyncio.create_task(every(REAP_S, bridge.reap)),
        ]
        hint = _Hint(self, asyncio.get_running_loop())
        registry.stop_hints.append(hint)
        try:
            await _first(asyncio.create_task(stopping.wait()), *background)
            self._open = False
            while self._tasks:
                await asyncio.wait(self._tasks)
        finally:
            self._open = False
            registry.stop_hints.remove(hint)
            await cancelled(*background)
            await cancelled(*self._tasks)
            await self._writer.close()

    def _begin(self, claim: Claim) -> None:
        run_id = claim.fence.run_id
        if run_id in self._held:
            return
        hit("run.claimed")
        active = ActiveRun(claim.fence, committed=claim.committed, submit=self.submit)
        self._held[run_id] = active
        task = asyncio.create_task(self._hold(active))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _hold(self, active: ActiveRun) -> None:
        """Drive the run and see to it that it ends, whatever came of the driving."""
        run_id = active.fence.run_id
        structlog.contextvars.bind_contextvars(run_id=run_id)
        active.work = asyncio.create_task(drive(active, self.submit))
        try:
            # Not awaited itself: its exception is judged here, and a cancel of ours is not its.
            (outcome,) = await asyncio.gather(active.work, return_exceptions=True)
            if failure := self._judged(active, outcome):
                await self._fail(active, failure)
        except asyncio.CancelledError:
            await self._fail(active, INTERRUPTED)
            raise
        finally:
            self._leave(active)

    def _judged(self, active: ActiveRun, outcome: BaseException | None) -> Failure | None:
        """What the run must be ended with; None when it has ended, or is another's."""
        if outcome is None:
            return None
        if active.lost or isinstance(outcome, LeaseLostError):
            logger.warning("let go of a run: its lease is lost")
            return None
        if isinstance(outcome, RunError):
            logger.warning("run failed: %s: %s", outcome.code, outcome.detail)
            return Failure(code=outcome.code, retryable=outcome.retryable)
        logger.error("a bug ended the run", exc_info=outcome)
        return INTERNAL

    async def _fail(self, active: ActiveRun, failure: Failure) -> None:
        """What is shown is written first; then any process could end the run, and this one does."""
        try:
            await active.flush()
            await bridge.fail_run(active.fence, failure)
        except (LeaseLostError, *PASSING) as error:
            logger.warning("the run could not be ended, the reaper will: %r", error)

    def _leave(self, active: ActiveRun) -> None:
        run_id = active.fence.run_id
        if not active.ring.complete:
            self._let_go.add(run_id)  # not to be taken up again by a look
            active.ring.abandon()
        was_full = len(self._held) >= self._slots
        del self._held[run_id]
        if was_full:
            self.kick()

    async def _tick(self) -> None:
        if self._writer is not None and not self._writer.ready:
            raise RuntimeError("the writer is down")
        for active in list(self._held.values()):
            active.tick()

    async def _look_often(self) -> None:
        while True:
            await survived(self._look())
            try:
                async with asyncio.timeout(LOOK_S):
                    await self._look_now.wait()
            except TimeoutError:
                continue
            self._look_now.clear()

    async def _look(self) -> None:
        free = self._slots - len(self._held) if self._open else 0
        sight = await bridge.look(self.owner, free=free, driven={*self._held, *self._let_go})
        for claim in sight.claimed:
            self._begin(claim)
        for run_id in sight.cancelled:
            self.stop(run_id)


class _Hint:
    """Carries a stop from the thread that committed it to the loop of its host."""

    def __init__(self, host: RunHost, loop: asyncio.AbstractEventLoop) -> None:
        self._host = host
        self._loop = loop

    def __call__(self, run_id: str) -> None:
        self._loop.call_soon_threadsafe(self._host.stop, run_id)


async def _first(waited: "asyncio.Task[Any]", *background: "asyncio.Task[None]") -> None:
    """Wait for the one; raise if one of the others ends before it, which only a fault does."""
    await asyncio.wait({waited, *background}, return_when=asyncio.FIRST_COMPLETED)
    if not waited.done():
        await cancelled(waited)
    for task in background:
        if task.done():
            task.result()
