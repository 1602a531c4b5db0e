"""The sweeper: what a crash left open is closed once, by its state, whoever sweeps."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.db.models.functions import Now
from django.test import Client

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.audit.models import Alert, DeadLetter
from apps.lib import clock
from apps.tools import after, sweep
from apps.tools.models import ToolRun
from apps.tools.services.after import write_open
from apps.tools.session import ToolSession
from apps.tools.sweep import sweep as swept_by
from tests.conversations.host.conftest import another
from tests.conversations.host.support import make_run
from tests.tools.ended_calls import after_of, left, refusing, state_of

pytestmark = pytest.mark.django_db(transaction=True)


class Sent(list[list[str]]):
    """Keeps the messages instead of a broker."""

    def __call__(self, audit_ids: list[str]) -> None:
        self.append(audit_ids)


@pytest.mark.req("TOOL-13")
@pytest.mark.parametrize(
    ("status", "kind", "end"),
    [
        ("planned", "local", "not_executed"),
        ("started", "local", "not_executed"),
        ("planned", "mcp", "not_executed"),
        ("started", "mcp", "unknown"),
        ("started", "http", "unknown"),
        ("succeeded", "local", "succeeded"),
        ("timed_out", "mcp", "timed_out"),
    ],
)
def test_what_a_crash_left_is_closed_by_its_state(
    session: ToolSession, status: str, kind: str, end: str
) -> None:
    run = left(session, status=status, kind=kind)
    write_open()
    assert after_of(run) == [end]
    assert ToolRun.objects.get().status == end
    assert write_open() == (0, 0, 0)


@pytest.mark.req("TOOL-13")
def test_a_call_is_left_to_a_run_that_lives(
    session: ToolSession, alice: User, assistant: Agent
) -> None:
    states: dict[str, dict[str, Any]] = {
        "live": {},
        "dead": {"lease_until": Now()},
        "waiting": {"status": "waiting", "lease_until": None},
        "over": {"status": "failed", "lease_until": None},
    }
    made = {name: make_run(another(alice, assistant), **states[name]) for name in states}
    runs = {name: left(session, status="started", run_id=run.pk) for name, run in made.items()}
    write_open()
    ends = {name: after_of(run) for name, run in runs.items()}
    assert ends == {"live": [], "dead": ["not_executed"], "waiting": [], "over": ["not_executed"]}


def test_a_call_without_a_run_has_a_minute(session: ToolSession) -> None:
    run = left(session, status="started", created_at=clock.now() - timedelta(seconds=30))
    write_open()
    assert state_of(run) == ("open", 0)
    assert after_of(run) == []


def test_waiting_and_held_calls_are_left_alone(session: ToolSession) -> None:
    runs = [left(session, status=status) for status in ("waiting", "held")]
    write_open()
    assert [run.status for run in ToolRun.objects.order_by("pk")] == ["waiting", "held"]
    assert [after_of(run) for run in runs] == [[], []]


@pytest.mark.req("TOOL-13")
def test_a_before_whose_run_is_gone_becomes_unknown(session: ToolSession) -> None:
    run = left(session)
    ToolRun.objects.all().delete()
    assert write_open().orphans == 1
    assert after_of(run) == ["unknown"]
    assert Alert.objects.get().cause == "audit_orphan"
    assert write_open() == (0, 0, 0)


def test_a_young_before_is_left_alone(session: ToolSession) -> None:
    left(session, created_at=clock.now())
    ToolRun.objects.all().delete()
    assert swept_by(Sent()).orphans == 0


def test_a_run_that_believes_wrongly_is_asked_again(session: ToolSession) -> None:
    run = left(session, audit_state="written")
    write_open()
    assert after_of(run) == ["succeeded"]


def test_a_dead_letter_is_nobodys_orphan(session: ToolSession) -> None:
    run = left(session, audit_attempts=4)
    after.write([run.audit_id])
    ToolRun.objects.all().delete()
    assert write_open().orphans == 0
    DeadLetter.objects.update(state="discarded")
    assert write_open().orphans == 1
    assert after_of(run) == ["unknown"]


@pytest.mark.req("TOOL-12")
def test_untried_rows_go_together_and_tried_alone(session: ToolSession) -> None:
    fresh = [left(session).audit_id for _ in range(3)]
    past = clock.now() - timedelta(seconds=1)
    tried = [left(session, audit_attempts=1, audit_due_at=past).audit_id for _ in range(2)]
    left(session, audit_attempts=1, audit_due_at=clock.now() + timedelta(seconds=9))
    left(session, finished_at=clock.now())
    sent = Sent()
    swept_by(sent)
    assert sent == [fresh, [tried[0]], [tried[1]]]


@pytest.mark.req("TOOL-13")
def test_many_sweepers_close_a_call_once(session: ToolSession) -> None:
    open_runs = [left(session, status="started", kind="mcp") for _ in range(5)]
    orphans = [left(session) for _ in range(5)]
    ToolRun.objects.filter(pk__in=[run.pk for run in orphans]).delete()

    def work(_: int) -> None:
        try:
            write_open()
        finally:
            connection.close()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(work, range(4)))
    write_open()
    assert [after_of(run) for run in (*open_runs, *orphans)] == [["unknown"]] * 10


@pytest.mark.case("F30")
def test_rows_open_for_long_raise_an_alert(session: ToolSession) -> None:
    left(session, finished_at=clock.now() - timedelta(minutes=6), audit_attempts=4)
    with refusing("audit_deadletter"):
        write_open()
    assert set(Alert.objects.values_list("cause", flat=True)) == {"audit_open"}


def test_the_first_sweep_of_a_process_is_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sweep._Process, "whole_at", float("-inf"))
    assert [sweep.whole_is_due(), sweep.whole_is_due()] == [True, False]


def test_old_orphans_are_found_by_a_whole_sweep(session: ToolSession) -> None:
    run = left(session, created_at=clock.now() - timedelta(days=90))
    ToolRun.objects.all().delete()
    assert swept_by(Sent()).orphans == 0
    assert swept_by(Sent(), whole=True).orphans == 1
    assert after_of(run) == ["unknown"]


def test_the_command_needs_no_broker(
    session: ToolSession, capsys: pytest.CaptureFixture[str]
) -> None:
    run = left(session, status="started")
    call_command("sweep_audit")
    assert capsys.readouterr().out.startswith("1 calls closed, 0 orphans, ")
    assert after_of(run) == ["not_executed"]


@pytest.mark.case("JOB-010")
def test_metrics_tell_what_is_open(session: ToolSession, client: Client, operator: User) -> None:
    client.force_login(operator)
    left(session)
    after.write([left(session, audit_attempts=4).audit_id])
    text = client.get("/metrics").content.decode()
    values = dict(line.split(" ") for line in text.splitlines() if line.startswith("agent_"))
    assert values["agent_dead_letters"] == "1.0"
    assert values["agent_audit_open_rows"] == "1.0"
    assert float(values["agent_audit_oldest_open_seconds"]) > 100
