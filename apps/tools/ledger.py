"""The gateway's Ledger: opens calls through the writer, ends them through the bridge."""

import asyncio
import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Protocol, TypeVar

from django.db import DatabaseError

from apps.lib import bridge
from apps.lib.writer.job import WriteRefusedError, WriteUnknownError
from apps.lib.writer.rounds import Unit
from apps.runtime.errors import ToolboxError
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools import records
from apps.tools.outcome import Failure, Opened, Standing
from apps.tools.session import ToolSession
from apps.tools.units import OpenCall

logger = logging.getLogger(__name__)
R = TypeVar("R")
TRIES = 6
POLL_SECONDS = 0.05


class Submit(Protocol):
    """`Writer.submit`."""

    def __call__(self, unit: Unit[R], /) -> Awaitable[R]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLedger:
    """The rows of one session's calls."""

    session: ToolSession
    submit: Submit

    async def open(self, call: ToolCall, place: Place) -> Opened:
        """Without the audit row there is no call: every fault here ends the run."""
        try:
            return await self.submit(OpenCall(session=self.session, call=call, place=place))
        except (WriteRefusedError, WriteUnknownError, DatabaseError) as error:
            logger.exception("audit.before not written, call refused")
            raise ToolboxError("audit.before could not be written", retryable=True) from error

    async def standing(self, call: ToolCall, seconds: float) -> Standing | None:
        """Asks again until the call, under way elsewhere, has its answer."""
        until = time.monotonic() + seconds
        while (answer := await self._answer(call)) is None and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)  # another process may hold it
        return None if answer is None else Standing(answer=answer)

    async def close(self, call: ToolCall, failure: Failure, duration_ms: int) -> Standing:
        """A tool that holds the lock is about to win or lose: the wait for it is bounded."""
        for _ in range(TRIES):
            try:
                await bridge.call(records.fail, call.id, failure, duration_ms)
            except bridge.LockTimeoutError:
                continue
            break
        answer = await self._answer(call)
        if answer is None:
            raise ToolboxError("the outcome could not be written", retryable=True)
        return Standing(answer=answer)

    async def _answer(self, call: ToolCall) -> ToolAnswer | None:
        return (await bridge.call(records.answers, [call.id])).get(call.id)
