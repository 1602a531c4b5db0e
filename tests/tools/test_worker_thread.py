"""The worker inside the web process: threads that write chains of their own, and survive."""

import threading
from collections.abc import Iterator, Sequence

import pytest
from celery import current_app
from django.db import connection

from apps.audit.models import AuditEntry, ChainHead
from apps.tools import after, handover
from apps.tools.after_entries import entries_of
from apps.tools.models import ToolRun
from apps.tools.session import ToolSession
from tests.tools.ended_calls import after_of, left, state_of
from tests.workers import until

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def worker() -> Iterator[None]:
    """As `manage.py serve` starts it, for the test."""
    made = current_app.WorkController(
        pool_cls="threads",
        concurrency=2,
        queues=("audit",),
        without_heartbeat=True,
        without_mingle=True,
        without_gossip=True,
        task_events=False,
    )
    thread = threading.Thread(target=made.start, daemon=True)
    thread.start()
    yield
    made.stop()
    thread.join(20)
    connection.close()


@pytest.mark.req("TOOL-12")
def test_what_is_handed_over_gets_written(session: ToolSession) -> None:
    runs = [left(session) for _ in range(300)]
    for run in runs:
        handover.put(run.audit_id)
    until(lambda: not after.unwritten().exists(), "the last row")
    assert AuditEntry.objects.filter(phase="after").count() == 300
    chains = set(AuditEntry.objects.filter(phase="after").values_list("chain", flat=True))
    for head in ChainHead.objects.filter(chain__in=chains):
        rows = list(AuditEntry.objects.filter(chain=head.chain).order_by("position"))
        assert [row.position for row in rows] == list(range(1, len(rows) + 1))
        assert head.digest == rows[-1].digest


@pytest.mark.case("JOB-010")
def test_memory_that_ran_out_frees_its_thread(
    session: ToolSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = {left(session).audit_id for _ in range(2)}
    good = [left(session) for _ in range(10)]

    def hungry(runs: Sequence[ToolRun]) -> object:
        if bad & {run.audit_id for run in runs}:
            raise MemoryError
        return entries_of(runs)

    monkeypatch.setattr(after, "entries_of", hungry)
    for audit_id in (*bad, *(run.audit_id for run in good)):
        handover.send([audit_id])
    until(lambda: all(after_of(run) for run in good), "the tenth row")
    assert {state_of(run) for run in good} == {("written", 1)}
    assert after.unwritten().count() == 2


@pytest.mark.req("TOOL-12")
def test_a_failed_row_comes_back_by_itself(
    session: ToolSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = left(session)

    def flaky(runs: Sequence[ToolRun]) -> object:
        if runs[0].audit_attempts == 1:
            raise ConnectionError("gone")
        return entries_of(runs)

    monkeypatch.setattr(after, "entries_of", flaky)
    handover.put(run.audit_id)
    until(lambda: state_of(run) == ("written", 2), "the second attempt")
    assert after_of(run) == ["succeeded"]
