"""No record, no call: an audit table that takes no rows stops every tool."""

import asyncio

import pytest

from apps.audit.models import AuditEntry
from apps.lib.writer.rounds import Plan
from apps.lib.writer.writer import Writer
from apps.runtime.errors import ToolboxError
from apps.runtime.ports import Toolbox
from apps.runtime.steps import Place
from apps.tools.models import ToolRun
from apps.tools.session import ToolSession
from apps.tools.units import KINDS, TABLES
from apps.tools.wiring import build_toolbox
from tests.tools.conftest import call_of
from tests.tools.ended_calls import refusing
from tests.tools.services import ProbeTools

pytestmark = pytest.mark.django_db(transaction=True)
CALLS, AT_ONCE = 1_000, 50


async def refused(toolbox: Toolbox, index: int) -> bool:
    call = call_of("probe_write" if index % 2 else "probe_read", text=f"n{index}")
    try:
        return [event async for event in toolbox.call(call, Place(0, index))] == []
    except ToolboxError:
        return True


@pytest.mark.req("TOOL-11")
def test_none_of_a_thousand_calls_runs_unrecorded(session: ToolSession) -> None:
    async def run() -> int:
        writer = Writer(Plan(kinds=KINDS, tables=TABLES), loop=asyncio.get_running_loop())
        writer.start()
        try:
            toolbox, count = build_toolbox(session, writer.submit), 0
            for start in range(0, CALLS, AT_ONCE):
                places = range(start, start + AT_ONCE)
                count += sum(await asyncio.gather(*(refused(toolbox, each) for each in places)))
            return count
        finally:
            await writer.close()

    with refusing("audit_auditentry"):
        assert asyncio.run(run()) == CALLS
    assert ProbeTools.calls == []
    assert not AuditEntry.objects.exists()
    assert not ToolRun.objects.exists()
