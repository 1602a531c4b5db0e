"""The runtime's memory of a run, kept by writer and bridge; and the toolbox behind the lease."""

import asyncio
from collections.abc import AsyncGenerator, Sequence

from apps.conversations import bridge
from apps.conversations.host.active import ActiveRun
from apps.conversations.host.errors import NOT_WRITTEN, LeaseLostError, StorageUnavailableError
from apps.conversations.host.loading import LoadedRun
from apps.conversations.step_payload import payload_of
from apps.conversations.units import CommitStep
from apps.lib.failpoint import hit
from apps.runtime.events import ToolEvent
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.ports import Toolbox
from apps.runtime.steps import Place, RecordedStep, Step

TRIES = 3
PAUSE_S = 0.2


class RunJournal:
    """Commits steps under the run's fence; a step whose commit got lost is told again."""

    def __init__(self, active: ActiveRun, loaded: LoadedRun) -> None:
        self._active = active
        self._loaded = loaded
        self.steps = 0
        """How many steps this leg has committed."""

    async def load(self) -> Sequence[RecordedStep]:
        return self._loaded.recorded

    async def commit_step(self, step: Step) -> None:
        unit = CommitStep(
            fence=self._active.fence,
            conversation_id=self._loaded.session.conversation_id,
            index=step.index,
            payload=payload_of(step),
            tokens=step.usage.completion or 0,
        )
        for last in range(TRIES):
            try:
                await self._active.write(unit)
                break
            except NOT_WRITTEN as error:
                if last == TRIES - 1:
                    raise StorageUnavailableError(repr(error), retryable=True) from error
                await asyncio.sleep(PAUSE_S)
        self.steps += 1
        hit("step.committed")

    async def settle(self, call: ToolCall, place: Place, answer: ToolAnswer) -> ToolAnswer:
        return await bridge.settle(self._loaded.session, call, place, answer)


class LeasedToolbox:
    """Starts no call for a run that may be another's by now."""

    def __init__(self, toolbox: Toolbox, active: ActiveRun) -> None:
        self._toolbox = toolbox
        self._active = active

    def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        if self._active.is_stale():
            raise LeaseLostError(self._active.fence.run_id)
        return self._toolbox.call(call, place)
