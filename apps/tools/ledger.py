"""The gateway's Ledger: opens and ends calls through the writer."""

import asyncio
import logging
import time
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from django.db import DatabaseError

from apps.lib import bridge
from apps.lib.writer.job import WriteRefusedError, WriteUnknownError
from apps.lib.writer.rounds import Unit
from apps.runtime.errors import ToolboxError
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools import records
from apps.tools.deciding import unreadable
from apps.tools.endings import failing, success
from apps.tools.outcome import Done, Failure, Opened, Opening, Standing, Wording
from apps.tools.session import ToolSession
from apps.tools.units import EndCall, OpenCall

logger = logging.getLogger(__name__)
R = TypeVar("R")
TRIES = 2
END_SECONDS = 30.0
POLL_SECONDS = 0.05
NOT_WRITTEN = (WriteRefusedError, WriteUnknownError, DatabaseError)


class Submit(Protocol):
    """`Writer.submit`."""

    def __call__(self, unit: Unit[R], /) -> Awaitable[R]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CallLedger:
    """The rows of one session's calls."""

    session: ToolSession
    submit: Submit
    wording: Wording

    async def open(self, call: ToolCall, place: Place) -> Opening:
        """Without the audit row there is no call: what keeps it from standing ends the run.

        A fact that the database does not give, nor when it is asked again, is a refusal like any
        other, audited.
        """
        unit = OpenCall(session=self.session, call=call, place=place, wording=self.wording)
        for _ in range(TRIES):
            try:
                return await self._opened(unit)
            except DatabaseError as error:
                logger.warning("call not decided: %r", error)
                why = unreadable(repr(error))
        try:
            return await self._opened(replace(unit, refusal=why))
        except DatabaseError as error:
            raise _unwritten(error) from error

    async def _opened(self, unit: OpenCall) -> Opening:
        try:
            return await self.submit(unit)
        except (WriteRefusedError, WriteUnknownError) as error:
            raise _unwritten(error) from error

    async def standing(self, call: ToolCall, seconds: float) -> Standing | None:
        """Asks again until the call, under way elsewhere, has its answer."""
        until = time.monotonic() + seconds
        while (answer := await self._answer(call)) is None and time.monotonic() < until:  # noqa: ASYNC110
            await asyncio.sleep(POLL_SECONDS)  # another process may hold it
        return None if answer is None else Standing(answer=answer)

    async def end(
        self, call: ToolCall, opened: Opened, ended: Done | Failure, duration_ms: int
    ) -> Standing:
        """The answer that stands from now on: this one, or that which came first."""
        if isinstance(ended, Failure):
            ending, failure, told = failing(call.id, ended, duration_ms), ended, None
        else:
            ending, failure, told = success(call.id, ended, duration_ms), None, ended.told
        unit = EndCall(
            session=self.session,
            tool=call.name,
            audit_id=opened.audit_id,
            ending=ending,
            failure=failure,
        )
        if await self._ended(unit):
            return Standing(answer=ending.answer(told))
        answer = await self._answer(call)
        if answer is None:
            raise ToolboxError("the outcome could not be written", retryable=True)
        return Standing(answer=answer)

    async def _ended(self, unit: EndCall) -> bool:
        """A tool that holds the row is about to win or lose: the wait for it is bounded."""
        until = time.monotonic() + END_SECONDS
        while time.monotonic() < until:
            try:
                return await self.submit(unit)
            except NOT_WRITTEN as error:
                logger.warning("outcome not written, will try again: %r", error)
                await asyncio.sleep(POLL_SECONDS)
        return False

    async def _answer(self, call: ToolCall) -> ToolAnswer | None:
        return (await bridge.call(records.answers, [call.id])).get(call.id)


def _unwritten(error: Exception) -> ToolboxError:
    logger.error("audit.before not written, the call does not happen: %r", error)
    return ToolboxError("audit.before could not be written", retryable=True)
