"""Drive a run from its rows to its last event.

An exception that leaves `drive` is not an end: the host decides what becomes of the run.
"""

import asyncio
import logging
from collections.abc import Mapping
from contextlib import aclosing
from typing import Any

import structlog

from apps.agents.providers import chat_model
from apps.conversations import bridge
from apps.conversations.host.active import ActiveRun
from apps.conversations.host.ending import end_of, last_facts, last_words
from apps.conversations.host.errors import NOT_WRITTEN, LeaseLostError
from apps.conversations.host.journal import LeasedToolbox, RunJournal
from apps.conversations.host.loading import LoadedRun
from apps.conversations.host.telling import Telling
from apps.conversations.stream.events import Batch
from apps.conversations.units import FinishRun
from apps.lib.failpoint import hit
from apps.lib.markdown import render_markdown
from apps.runtime.loop import AgentLoop
from apps.runtime.steps import Step
from apps.tools.ledger import Submit
from apps.tools.wiring import build_toolbox

logger = logging.getLogger(__name__)
ON_THE_LOOP = 4096
"""The longest text, in characters, that may be rendered between two turns of the loop."""
AGAIN_S = 0.25


async def drive(active: ActiveRun, submit: Submit) -> None:
    """The whole leg; when it returns, the run's end is committed and shown."""
    loaded = await bridge.load_run(active.fence)
    structlog.contextvars.bind_contextvars(trace_id=loaded.session.trace_id)
    if loaded.cancel_requested:
        active.stop.request()
    telling = Telling(active, loaded.session.message_id)
    loop = AgentLoop(
        spec=loaded.spec,
        model=await chat_model(loaded.snapshot),
        toolbox=LeasedToolbox(build_toolbox(loaded.session, submit), active),
        journal=_TellingJournal(active, loaded, telling),
    )
    async with aclosing(loop.run(loaded.messages, active.stop)) as events:
        async for event in events:
            telling.tell(event)
    await _finish(active, loaded, telling)


class _TellingJournal(RunJournal):
    """A journal that lets the telling know what is safe."""

    def __init__(self, active: ActiveRun, loaded: LoadedRun, telling: Telling) -> None:
        super().__init__(active, loaded)
        self._telling = telling

    async def commit_step(self, step: Step) -> None:
        await super().commit_step(step)
        self._telling.step_committed()


async def _finish(active: ActiveRun, loaded: LoadedRun, telling: Telling) -> None:
    notice = last_words(loaded, telling)
    # Each by itself: a code block that the model left open does not swallow the notice.
    html = await _rendered(telling.content()) + (render_markdown(notice) if notice else "")
    end = end_of(active, telling, notice=notice, html=html)
    metadata = await _metadata(loaded, telling)
    facts = last_facts(loaded, end, notice=notice, metadata=metadata, error=telling.error)

    async def write(batch: Batch) -> None:
        hit("run.finishing")
        unit = FinishRun(
            fence=active.fence,
            conversation_id=loaded.session.conversation_id,
            message_id=loaded.session.message_id,
            end=end,
            batch=batch,
            partial=telling.unfinished(),
        )
        await active.write(unit)

    while not active.is_stale():
        try:
            return await active.ring.finish(facts, write)
        except NOT_WRITTEN as error:
            logger.warning("the end is not written, will try again: %r", error)
            await asyncio.sleep(AGAIN_S)
    raise LeaseLostError(active.fence.run_id)


async def _rendered(text: str) -> str:
    if len(text) <= ON_THE_LOOP:
        return render_markdown(text)
    return await asyncio.to_thread(render_markdown, text)


async def _metadata(loaded: LoadedRun, telling: Telling) -> Mapping[str, Any]:
    """Only forms write into it while a run goes on, so most runs ask nothing."""
    if not telling.has_forms:
        return loaded.metadata
    return await bridge.message_metadata(loaded.session.message_id)
