"""Real processes killed between audit.before and audit.after: nothing lost, nothing done twice."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import pytest
import redis
from django.core.management import call_command

from apps.accounts.models import ApiToken, User
from apps.accounts.services.tokens import issue_token
from apps.accounts.tasks import purge_expired_sign_ins
from apps.audit.models import AuditEntry, DeadLetter
from apps.lib import clock
from apps.lib.ids import new_id
from apps.students.models import Student
from apps.tools.handover import send
from apps.tools.models import ToolRun
from apps.tools.session import ToolSession
from apps.tools.sweep import sweep
from tests.browser.proxy import wire
from tests.forms.test_submit_processes import database_url
from tests.tools.ended_calls import after_of, left, make_due, state_of
from tests.workers import ROOT, until, working

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.fault]


@pytest.fixture
def environment() -> dict[str, str]:
    """Of a child that works on this test's database."""
    return {
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "STEWARD_VAR": os.environ["STEWARD_VAR"],
        "APP_MODE": "test",
    }


@contextmanager
def calling(
    environment: dict[str, str], call_id: str, **settings: str
) -> Iterator["subprocess.Popen[str]"]:
    """A process that makes this call, as alice; it stays until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.tools.caller", "alice", call_id, f"student {call_id}"],
        cwd=ROOT,
        env={**os.environ, **environment, **settings},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def told(process: "subprocess.Popen[str]") -> str:
    assert process.stdout is not None
    return process.stdout.readline()


def a_minute_passes() -> None:
    ToolRun.objects.update(created_at=clock.now() - timedelta(minutes=2))
    ended = ToolRun.objects.filter(finished_at__isnull=False)
    ended.update(finished_at=clock.now() - timedelta(minutes=2))


def run_of(call_id: str) -> ToolRun:
    return ToolRun.objects.get(tool_call_id=call_id)


@pytest.mark.req("TOOL-11", "TOOL-13")
@pytest.mark.parametrize(
    ("point", "effects", "end"),
    [
        pytest.param("call.opened", 0, "not_executed", marks=pytest.mark.case("F02")),
        pytest.param("call.started", 0, "not_executed", marks=pytest.mark.case("F03")),
        pytest.param("call.committed", 1, "succeeded", marks=pytest.mark.case("F04", "F06")),
    ],
)
def test_a_killed_process_leaves_one_closed_pair(
    alice: User, environment: dict[str, str], point: str, effects: int, end: str
) -> None:
    call_id = new_id()
    with calling(environment, call_id, FAILPOINTS=f"{point}=kill") as process:
        assert told(process) == ""
        assert process.wait(30) == -9
    assert AuditEntry.objects.get().phase == "before"
    assert Student.objects.count() == effects
    a_minute_passes()
    call_command("sweep_audit")
    assert after_of(run_of(call_id)) == [end]
    with calling(environment, call_id) as process:  # the same key once more
        assert told(process).startswith(f"{bool(effects)} ")
    call_command("sweep_audit")
    assert Student.objects.count() == effects
    assert AuditEntry.objects.count() == 2


@pytest.mark.case("F05")
def test_an_outside_call_cut_off_is_unknown(session: ToolSession) -> None:
    run = left(session, status="started", kind="mcp")
    call_command("sweep_audit")
    assert after_of(run) == ["unknown"]
    assert run_of(run.tool_call_id).status == "unknown"


@pytest.mark.case("F30")
def test_a_kill_while_burying_leaves_the_row_open(
    session: ToolSession, environment: dict[str, str]
) -> None:
    run = left(session, audit_attempts=4)
    done = subprocess.run(
        [sys.executable, "manage.py", "sweep_audit"],
        cwd=ROOT,
        env={**os.environ, **environment, "FAILPOINTS": "letter.burying=kill"},
        check=False,
    )
    assert done.returncode == -9
    assert (state_of(run), DeadLetter.objects.count()) == (("open", 4), 0)
    call_command("sweep_audit")
    assert (state_of(run), DeadLetter.objects.count()) == (("dead", 4), 1)


@pytest.mark.services
@pytest.mark.req("TOOL-12")
def test_a_worker_writes_what_a_caller_hands_over(alice: User, environment: dict[str, str]) -> None:
    call_id = new_id()
    with working(environment), calling(environment, call_id) as process:
        assert told(process).startswith("True ")
        until(lambda: state_of(run_of(call_id)) == ("written", 1), "audit.after")
    assert after_of(run_of(call_id)) == ["succeeded"]


@pytest.mark.services
@pytest.mark.req("TOOL-12")
@pytest.mark.case("JOB-003")
def test_a_worker_killed_while_writing_loses_nothing(
    session: ToolSession, environment: dict[str, str]
) -> None:
    run = left(session)
    log = Path(environment["STEWARD_VAR"]) / "failpoints.log"
    log.unlink(missing_ok=True)
    with working({**environment, "FAILPOINTS": "after.writing=sleep:60000"}) as worker:
        send([run.audit_id])
        until(lambda: log.exists() and "after.writing" in log.read_text(), "the write")
        worker.kill()
    assert (after_of(run), state_of(run)) == ([], ("open", 1))
    make_due(run)
    with working(environment):
        sweep(send)
        until(lambda: state_of(run) == ("written", 2), "audit.after")
    assert after_of(run) == ["succeeded"]


@pytest.mark.services
@pytest.mark.case("JOB-004")
def test_a_row_that_kills_its_worker_ends_as_a_letter(
    session: ToolSession, environment: dict[str, str], alice: User
) -> None:
    run = left(session)
    issue_token(user=alice, name="expired")
    tokens = ApiToken.objects.filter(name="expired")
    tokens.update(expires_at=clock.now() - timedelta(days=1))
    with working({**environment, "FAILPOINTS": "after.writing=kill"}):
        for start in range(1, 5):
            send([run.audit_id])
            until(lambda start=start: state_of(run) == ("open", start), f"start {start}")  # type: ignore[misc]
            until(lambda: run_is_free(run), "the killed transaction's end")
            make_due(run)
        sweep(send)
        until(lambda: state_of(run) == ("dead", 4), "the dead letter")
        purge_expired_sign_ins.delay()
        until(lambda: not tokens.exists(), "another task")
    assert DeadLetter.objects.get().reason.startswith("worker lost")
    assert after_of(run) == []


def run_is_free(run: ToolRun) -> bool:
    """Whether no transaction of the killed process holds its row any more."""
    from django.db import transaction  # noqa: PLC0415

    with transaction.atomic():
        return ToolRun.objects.filter(pk=run.pk).select_for_update(skip_locked=True).exists()


@pytest.mark.services
@pytest.mark.req("TOOL-12")
@pytest.mark.case("F10")
def test_a_call_succeeds_while_the_broker_is_down(alice: User, environment: dict[str, str]) -> None:
    call_id, broker = new_id(), urlsplit(os.environ["REDIS_URL"])
    with wire(broker.port or 6379) as cable:
        cable.cut()
        address = urlunsplit(broker._replace(netloc=f"127.0.0.1:{cable.port}"))
        with calling(environment, call_id, REDIS_URL=address) as process:
            assert told(process).startswith("True ")
            run = run_of(call_id)
            assert state_of(run) == ("open", 0)
            cable.mend()
    assert Student.objects.count() == 1
    a_minute_passes()
    with working(environment):
        sweep(send)
        until(lambda: state_of(run) == ("written", 1), "audit.after")
    assert after_of(run) == ["succeeded"]


@pytest.mark.services
@pytest.mark.req("TOOL-12")
@pytest.mark.case("F10")
def test_a_flushed_broker_loses_only_time(
    session: ToolSession, environment: dict[str, str]
) -> None:
    run = left(session)
    send([run.audit_id])
    server = redis.Redis.from_url(os.environ["REDIS_URL"])
    ours = list(server.scan_iter("steward-*audit"))
    assert ours
    server.delete(*ours)
    with working(environment):
        sweep(send)
        until(lambda: state_of(run) == ("written", 1), "audit.after")
    assert after_of(run) == ["succeeded"]
