"""Many calls through one toolbox."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from apps.lib.writer.rounds import Plan
from apps.lib.writer.writer import Writer
from apps.runtime.events import ToolCompleted
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.ports import Toolbox
from apps.runtime.steps import Place
from apps.tools.session import ToolSession
from apps.tools.units import KINDS, TABLES
from apps.tools.wiring import build_toolbox


@asynccontextmanager
async def toolbox_of(session: ToolSession) -> AsyncIterator[Toolbox]:
    """A toolbox on a writer of its own; audit.after is handed over to nobody."""
    writer = Writer(Plan(kinds=KINDS, tables=TABLES), loop=asyncio.get_running_loop(), patience=30)
    writer.start()
    try:
        yield build_toolbox(session, writer.submit, lambda _: None)
    finally:
        await writer.close()


async def answer(toolbox: Toolbox, call: ToolCall, index: int = 0) -> ToolAnswer:
    events = [event async for event in toolbox.call(call, Place(0, index))]
    (completed,) = (event for event in events if isinstance(event, ToolCompleted))
    return completed.answer
