"""Many calls at once, late ones, stopped ones: the database decides, once."""

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import replace

import pytest

from apps.accounts.models import Organisation
from apps.audit.models import AuditEntry
from apps.lib import bridge
from apps.lib.ids import new_id
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools.models import ToolRun
from apps.tools.session import ToolSession
from apps.tools.wiring import settle_call
from tests.tools.calling import answer, toolbox_of
from tests.tools.conftest import Caller, call_of, write_after
from tests.tools.services import ProbeTools, hangs, pauses

pytestmark = pytest.mark.django_db(transaction=True)
MANY = 100


@pytest.fixture
def released() -> Iterator[threading.Event]:
    """Set at the end, so that no thread outlives its test."""
    event = threading.Event()
    yield event
    event.set()


@pytest.mark.req("TOOL-10", "TOOL-13")
def test_a_hundred_calls_at_once_all_close(session: ToolSession) -> None:
    async def run() -> list[ToolAnswer]:
        async with toolbox_of(session) as toolbox:
            calls = (call_of("probe_write", text=f"org-{number}") for number in range(MANY))
            return await asyncio.gather(*(answer(toolbox, c, i) for i, c in enumerate(calls)))

    answers = asyncio.run(run())
    assert all(each.ok or "0.5" in each.error for each in answers)
    done = sum(each.ok for each in answers)
    assert Organisation.objects.filter(code__startswith="org-").count() == done
    assert len(ProbeTools.calls) >= done
    assert AuditEntry.objects.filter(phase="before").count() == MANY
    assert write_after() == MANY
    assert AuditEntry.objects.filter(phase="after").count() == MANY
    assert not ToolRun.objects.filter(status__in=ToolRun.OPEN).exists()


@pytest.mark.req("TOOL-12")
def test_one_call_made_often_runs_once(session: ToolSession) -> None:
    call = call_of("probe_write", text="once")
    ProbeTools.body = pauses(0.1)

    async def run() -> list[ToolAnswer]:
        async with toolbox_of(session) as toolbox:
            return await asyncio.gather(*(answer(toolbox, call) for _ in range(MANY)))

    answers = asyncio.run(run())
    assert len({each.content for each in answers}) == 1
    assert all(each.ok for each in answers)
    assert Organisation.objects.filter(code="once").count() == 1
    assert len(ProbeTools.calls) == 1
    assert write_after() == 1
    assert AuditEntry.objects.count() == 2


@pytest.mark.req("TOOL-12")
def test_a_completed_call_is_never_run_again(call: Caller) -> None:
    made = call_of("probe_write", text="again")
    first = call.make(made)
    assert call.make(made) == first
    assert len(ProbeTools.calls) == 1


@pytest.mark.req("TOOL-13", "TOOL-14")
def test_a_late_write_leaves_nothing(call: Caller, released: threading.Event) -> None:
    ProbeTools.body = hangs(released)
    threading.Timer(1.0, released.set).start()
    told = call("probe_write", text="late")
    until_idle()
    # SQLite has one write lock, which the tool holds: there it gives its work up by itself.
    assert (told.ok, "0.5" in told.error) == (False, True)
    assert ToolRun.objects.get().status == "timed_out"
    assert AuditEntry.objects.get(phase="after").outcome == "timed_out"
    assert not Organisation.objects.filter(code="late").exists()


@pytest.mark.req("TOOL-13", "TOOL-14")
def test_a_late_read_is_told_as_late(
    call: Caller, released: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    ProbeTools.body = hangs(released)
    slow = next(tool for tool in call.session.tools if tool.name == "probe_read")
    call.session = replace(call.session, tools=(replace(slow, timeout=0.2),))
    told = call("probe_read", text="late")
    assert (told.ok, "0.2" in told.error) == (False, True)
    released.set()
    until_idle()
    assert ToolRun.objects.get().status == "timed_out"
    assert AuditEntry.objects.get(phase="after").outcome == "timed_out"


def test_a_stopped_call_is_settled_once(session: ToolSession, released: threading.Event) -> None:
    ProbeTools.body = hangs(released)
    made, why = call_of("probe_read", text="x"), ToolAnswer(ok=False, content="stopped")

    async def run() -> ToolAnswer:
        async with toolbox_of(session) as toolbox:
            task = asyncio.create_task(answer(toolbox, made))
            while not ProbeTools.calls:  # noqa: ASYNC110, the body runs in another thread
                await asyncio.sleep(0.01)
            task.cancel()
            await asyncio.wait({task})
            return await bridge.call(settle_call, session, made, Place(0, 0), why)

    settled = asyncio.run(run())
    assert (settled.ok, settled.error) == (False, "stopped")
    assert ToolRun.objects.get().status == "cancelled"
    released.set()
    until_idle()
    assert ToolRun.objects.get().status == "cancelled"
    assert write_after() == 1
    assert AuditEntry.objects.filter(phase="after").count() == 1


@pytest.mark.req("TOOL-12")
def test_an_answer_that_came_first_stands(call: Caller) -> None:
    made = call_of("probe_read", text="x")
    first = call.make(made, Place(0, 0))
    why = ToolAnswer(ok=False, content="stopped")
    assert settle_call(call.session, made, Place(0, 0), why) == first


@pytest.mark.req("TOOL-12")
def test_an_end_from_outside_stands(call: Caller) -> None:
    made, why = call_of("probe_read", text="x"), ToolAnswer(ok=False, content="", error="stopped")

    def body() -> dict[str, int]:
        settle_call(call.session, made, Place(0, 0), why)
        return {"found": 3}

    ProbeTools.body = body
    answered = call.make(made, Place(0, 0))
    assert (answered.ok, answered.error) == (False, "stopped")
    assert ToolRun.objects.get().status == "cancelled"


def test_two_calls_of_one_place_are_refused(call: Caller) -> None:
    call.make(call_of("probe_read", text="x"), Place(0, 0))
    other = ToolCall(id=new_id(), name="probe_read", arguments={"text": "y"})
    with pytest.raises(Exception, match=r"audit\.before"):
        call.make(other, Place(0, 0))
    assert len(ProbeTools.calls) == 1


def until_idle() -> None:
    """Wait until the tools' threads have ended what they were doing."""
    from apps.tools.bridge import THREADS, _executor  # noqa: PLC0415, private on purpose

    barrier = threading.Barrier(THREADS + 1)
    for _ in range(THREADS):
        _executor.submit(barrier.wait, 30)
    barrier.wait(30)
