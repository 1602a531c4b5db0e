"""audit.after from its outbox: once, with the right word, and never lost."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection, transaction

from apps.audit import chain
from apps.audit.models import Alert, AuditEntry, ChainHead, DeadLetter, SecurityEvent
from apps.audit.services.dead_letters import replay_by_command
from apps.conversations.services.erasing import erase
from apps.lib import clock
from apps.lib.attempts import pause_after
from apps.lib.ids import new_id
from apps.runtime.errors import ModelRateLimitError
from apps.tools import after
from apps.tools.models import ToolRun
from apps.tools.session import ToolSession
from apps.tools.tasks import write_after
from tests.tools.ended_calls import after_of, left, make_due, refusing, state_of

pytestmark = pytest.mark.django_db(transaction=True)
NO_AFTER = ("audit_auditentry", "NEW.phase = 'after'")


@pytest.mark.req("TOOL-12", "TOOL-13")
@pytest.mark.parametrize(
    "status",
    ["succeeded", "failed", "refused", "timed_out", "cancelled", "not_executed", "unknown"],
)
def test_the_row_says_how_the_call_ended(session: ToolSession, status: str) -> None:
    run = left(session, status=status)
    assert after.write([run.audit_id]) == []
    entry = AuditEntry.objects.get(audit_id=run.audit_id, phase="after")
    before = AuditEntry.objects.get(audit_id=run.audit_id, phase="before")
    assert entry.outcome == status
    for name in ("user_id", "username", "tool", "run_id", "tool_call_id", "surface", "trace_id"):
        assert getattr(entry, name) == getattr(before, name)
    assert state_of(run) == ("written", 1)


@pytest.mark.req("TOOL-16")
def test_a_system_error_is_told_from_a_failure(session: ToolSession) -> None:
    run = left(session, status="failed")
    event = SecurityEvent(
        kind="system_error",
        at=clock.now(),
        audit_id=run.audit_id,
        user_id=run.user_id,
        username="alice",
        organisation_id=run.organisation_id,
        tool=run.name,
        trace_id=run.trace_id,
        detail="ZeroDivisionError",
    )
    chain.append([event])
    after.write([run.audit_id])
    assert after_of(run) == ["system_error"]


@pytest.mark.case("F09")
@pytest.mark.parametrize("times", [2, 10])
def test_deliveries_beyond_the_first_change_nothing(session: ToolSession, times: int) -> None:
    run = left(session)

    def deliver(_: int) -> None:
        try:
            write_after.apply(([run.audit_id],))
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as threads:
        list(threads.map(deliver, range(times)))
    assert (after_of(run), state_of(run)) == (["succeeded"], ("written", 1))


def test_a_call_still_under_way_has_no_row(session: ToolSession) -> None:
    run = left(session, status="started")
    after.write([run.audit_id])
    assert (after_of(run), state_of(run)) == ([], ("open", 0))


@pytest.mark.req("TOOL-12")
@pytest.mark.case("JOB-002", "F29")
def test_four_starts_then_one_dead_letter(session: ToolSession) -> None:
    run = left(session)
    pauses = []
    with refusing(*NO_AFTER):
        for _ in range(6):
            for _delivered_twice in range(2):
                pauses += [each.seconds for each in after.write([run.audit_id])]
            make_due(run)
    assert pauses == [1.0, 4.0, 16.0]
    assert state_of(run) == ("dead", 4)
    letter = DeadLetter.objects.get()
    assert (letter.kind, letter.key, letter.attempts) == ("audit_after", run.audit_id, 4)
    assert "read-only" in letter.reason
    assert Alert.objects.get(cause="dead_letter").severity == "critical"


@pytest.mark.req("TOOL-12")
def test_a_failed_attempt_is_due_again_in_time(session: ToolSession) -> None:
    run = left(session)
    with refusing(*NO_AFTER):
        began = clock.now()
        after.write([run.audit_id])
    run.refresh_from_db()
    assert run.audit_due_at is not None
    assert 0.9 < (run.audit_due_at - began).total_seconds() < 3
    after.write([run.audit_id])
    assert after_of(run) == []  # not before it is due
    make_due(run)
    after.write([run.audit_id])
    assert (after_of(run), state_of(run)) == (["succeeded"], ("written", 2))


@pytest.mark.case("JOB-009")
@pytest.mark.parametrize(
    ("error", "starts", "pause"),
    [
        (ValueError("x"), 1, None),
        (PermissionError("x"), 1, None),
        (ConnectionError("x"), 1, 1.0),
        (ConnectionError("x"), 2, 4.0),
        (ConnectionError("x"), 3, 16.0),
        (ConnectionError("x"), 4, None),
        (ModelRateLimitError("429", retryable=True, retry_after=7), 1, 7.0),
        (ModelRateLimitError("429", retryable=True, retry_after=7), 3, 16.0),
        (MemoryError(), 1, 1.0),
    ],
)
def test_an_error_says_whether_to_try_again(
    error: Exception, starts: int, pause: float | None
) -> None:
    assert pause_after(error, starts) == pause


@pytest.mark.req("TOOL-12")
@pytest.mark.case("JOB-009", "F29")
def test_a_missing_before_is_a_dead_letter_at_once(session: ToolSession) -> None:
    orphan = left(session)
    ToolRun.objects.filter(pk=orphan.pk).update(audit_id="nowhere")
    good = left(session)
    after.write(["nowhere", good.audit_id])
    assert after_of(good) == ["succeeded"]
    assert state_of(orphan) == ("dead", 1)
    assert DeadLetter.objects.get().key == "nowhere"


@pytest.mark.case("F29")
@pytest.mark.parametrize("message", [None, "text", [1], {"a": 1}, [["x"]]])
def test_an_unreadable_message_stops_nothing(session: ToolSession, message: object) -> None:
    run = left(session)
    for _ in range(2):
        write_after.apply((message,))
    write_after.apply(([run.audit_id],))
    assert after_of(run) == ["succeeded"]
    assert DeadLetter.objects.get().reason == "unreadable payload"


@pytest.mark.case("F29")
def test_a_message_about_nothing_is_one_letter(session: ToolSession) -> None:
    missing = new_id()
    for _ in range(3):
        write_after.apply(([missing],))
    assert DeadLetter.objects.get().key == missing


@pytest.mark.req("TOOL-12")
def test_one_bad_row_spoils_no_others(session: ToolSession) -> None:
    runs = [left(session) for _ in range(5)]
    bad = runs[2]
    with refusing("audit_auditentry", f"NEW.phase = 'after' AND NEW.audit_id = '{bad.audit_id}'"):
        again = after.write([run.audit_id for run in runs])
        assert {each.audit_id for each in again} == {run.audit_id for run in runs}
        for run in runs:
            make_due(run)
        again = after.write([run.audit_id for run in runs])
    assert [each.audit_id for each in again] == [bad.audit_id]
    assert [after_of(run) for run in runs if run != bad] == [["succeeded"]] * 4


@pytest.mark.req("TOOL-12")
def test_a_fault_that_lasts_buries_one_of_many(
    session: ToolSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [left(session) for _ in range(3)]
    ids, append = [run.audit_id for run in runs], chain.append

    def picky(rows: list[AuditEntry]) -> None:
        if any(row.audit_id == ids[1] for row in rows):
            raise ValueError("unreadable")
        append(rows)

    monkeypatch.setattr(chain, "append", picky)
    assert {each.seconds for each in after.write(ids)} == {1.0}
    for run in runs:
        make_due(run)
    assert after.write(ids) == []
    assert [state_of(run)[0] for run in runs] == ["written", "dead", "written"]


@pytest.mark.case("JOB-004")
def test_a_row_whose_worker_never_came_back_is_buried(session: ToolSession) -> None:
    run = left(session, audit_attempts=4, audit_due_at=clock.now() - timedelta(seconds=1))
    after.write([run.audit_id])
    assert state_of(run) == ("dead", 4)
    assert DeadLetter.objects.get().reason.startswith("worker lost")


@pytest.mark.case("F30")
def test_a_letter_that_cannot_be_written_leaves_the_row_open(session: ToolSession) -> None:
    run = left(session, audit_attempts=4)
    with refusing("audit_deadletter"):
        after.write([run.audit_id])
    assert state_of(run) == ("open", 4)
    assert Alert.objects.get().cause == "audit_open"
    after.write([run.audit_id])
    assert state_of(run) == ("dead", 4)


def test_each_thread_writes_a_chain_of_its_own(session: ToolSession) -> None:
    runs = [left(session) for _ in range(4)]
    barrier = threading.Barrier(2)

    def work(mine: list[ToolRun]) -> None:
        barrier.wait(10)
        try:
            for run in mine:
                after.write([run.audit_id])
        finally:
            connection.close()

    with ThreadPoolExecutor(2) as threads:
        list(threads.map(work, [runs[:2], runs[2:]]))
    chains = set(AuditEntry.objects.filter(phase="after").values_list("chain", flat=True))
    assert len(chains) == 2
    for head in ChainHead.objects.filter(chain__in=chains):
        rows = AuditEntry.objects.filter(chain=head.chain).order_by("position")
        assert [row.position for row in rows] == [1, 2]
        assert rows[1].previous == rows[0].digest
        assert head.digest == rows[1].digest


@pytest.mark.req("TOOL-13")
def test_before_a_deletion_everything_is_closed(session: ToolSession) -> None:
    runs = [
        left(session, status="planned"),
        left(session, status="started", kind="mcp"),
        left(session, status="failed"),
    ]
    with transaction.atomic():
        erase([session.conversation_id])
    assert not ToolRun.objects.exists()
    assert [after_of(run) for run in runs] == [["not_executed"], ["unknown"], ["failed"]]


@pytest.mark.req("TOOL-13")
def test_nothing_is_deleted_that_cannot_be_closed(session: ToolSession) -> None:
    run = left(session)
    with refusing(*NO_AFTER), pytest.raises(Exception, match="read-only"), transaction.atomic():
        erase([session.conversation_id])
    assert state_of(run) == ("open", 0)


@pytest.mark.req("TOOL-12")
@pytest.mark.case("F29")
def test_a_dead_letter_is_enough_for_its_row(session: ToolSession) -> None:
    run = left(session, audit_attempts=4, status="failed")
    after.write([run.audit_id])
    letter = DeadLetter.objects.get()
    ToolRun.objects.all().delete()
    assert replay_by_command(letter.pk) is True
    entry = AuditEntry.objects.get(phase="after")
    assert (entry.outcome, entry.username, entry.tool) == ("failed", "alice", "probe_write")
    assert json.loads(entry.body)["error"] == "could not"


def test_a_replay_tells_the_tool_run(session: ToolSession) -> None:
    run = left(session, audit_attempts=4)
    after.write([run.audit_id])
    assert replay_by_command(DeadLetter.objects.get().pk) is True
    assert state_of(run) == ("written", 4)
    assert after_of(run) == ["succeeded"]
