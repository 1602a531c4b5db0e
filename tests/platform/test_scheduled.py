"""What beat starts is there to be started, and runs without it."""

import importlib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from celery import shared_task
from django.core.management import CommandError, call_command

from apps.accounts.models import ApiToken, User
from apps.accounts.services.tokens import issue_token
from apps.lib import clock
from config.celery import QUEUES, app

ROOT = Path(__file__).parents[2]
ENTRIES = app.conf.beat_schedule


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_names_a_task_that_is_there(name: str) -> None:
    task = ENTRIES[name]["task"]
    app.loader.import_default_modules()
    assert task in app.tasks
    assert callable(app.tasks[task].run)
    importlib.import_module(app.tasks[task].run.__module__)


@pytest.mark.parametrize("name", ENTRIES)
def test_every_entry_goes_where_the_worker_looks(name: str) -> None:
    (worker,) = (
        line for line in (ROOT / "Procfile").read_text("utf-8").splitlines() if "worker:" in line
    )
    served = worker.partition("--queues ")[2].split()[0].split(",")
    assert sorted(served) == sorted(QUEUES)
    assert ENTRIES[name]["options"]["queue"] in served


@pytest.mark.parametrize("name", ENTRIES)
def test_a_message_that_waited_too_long_is_dropped(name: str) -> None:
    """A worker that was away is not met by all that was missed."""
    assert ENTRIES[name]["options"]["expires"] > 0


def test_the_schedule_is_the_one_that_is_promised() -> None:
    found = {entry["task"]: entry["schedule"] for entry in ENTRIES.values()}
    every = {task: schedule for task, schedule in found.items() if isinstance(schedule, float)}
    assert every["apps.audit.tasks.deliver_alerts"] == 10.0
    assert every["apps.tools.tasks.sweep_audit"] == every["conversations.reap_runs"] == 15.0
    assert found["apps.audit.tasks.seal"].minute == {7}
    assert found["apps.tools.tasks.check_upgrade_triggers"].hour == {3}


def run_due(*arguments: str) -> str:
    out = StringIO()
    call_command("run_due", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_every_job_runs_once_in_order() -> None:
    lines = run_due().splitlines()
    assert [line.split(":")[0] for line in lines] == list(ENTRIES)
    assert all(": done (" in line for line in lines)


@pytest.mark.django_db(transaction=True)
def test_the_time_can_be_given(alice: User) -> None:
    issue_token(user=alice, name="short")
    ApiToken.objects.update(expires_at=datetime(2031, 1, 1, tzinfo=UTC))
    run_due("--at", "2030-12-31T23:00:00")
    assert ApiToken.objects.count() == 1
    run_due("--at", "2031-01-01T08:00:01+08:00")
    assert ApiToken.objects.count() == 0
    assert abs(clock.now() - datetime.now(UTC)) < timedelta(seconds=5)


def test_what_is_no_time_is_refused() -> None:
    with pytest.raises(CommandError, match="is no time"):
        run_due("--at", "tomorrow")


@shared_task(name="tests.fail_on_purpose")
def fail_on_purpose() -> None:
    raise ValueError("key sk-abcdefghijklmnopqrstuvwxyz012345")


@shared_task(name="tests.leave_a_note")
def leave_a_note(path: str, text: str) -> None:
    Path(path).write_text(text, "utf-8")


@shared_task(name="tests.leave_it_to_the_worker")
def leave_it_to_the_worker(path: str) -> None:
    with app.connection_for_write() as broker:
        task, arguments = "tests.leave_a_note", (path, "left")
        app.send_task(task, arguments, queue="audit", countdown=60, connection=broker)


@pytest.fixture
def schedule() -> Iterator[dict[str, Any]]:
    """Another schedule, and no broker beside this process."""
    conf: Any = app.conf
    kept = conf.beat_schedule, conf.broker_url
    conf.beat_schedule, conf.broker_url = {}, "memory://"
    yield conf.beat_schedule
    conf.beat_schedule, conf.broker_url = kept


def test_a_failure_is_told_and_keeps_nothing_back(schedule: dict[str, Any], tmp_path: Path) -> None:
    note = tmp_path / "note"
    schedule["one"] = {"task": "tests.fail_on_purpose"}
    schedule["two"] = {"task": "tests.no_such_task"}
    schedule["three"] = {"task": "tests.leave_a_note", "args": (str(note), "here")}
    out = StringIO()
    with pytest.raises(CommandError, match="failed: one, two"):
        call_command("run_due", stdout=out)
    first, second, third = out.getvalue().splitlines()
    assert first.startswith("one: failed: ValueError: key ")
    assert "abcdefgh" not in first
    assert second.startswith("two: failed: no task tests.no_such_task")
    assert third.startswith("three: done")
    assert note.read_text("utf-8") == "here"


def test_what_is_left_to_a_worker_is_done_where_there_is_none(
    schedule: dict[str, Any], tmp_path: Path
) -> None:
    note = tmp_path / "note"
    schedule["one"] = {"task": "tests.leave_it_to_the_worker", "args": (str(note),)}
    assert run_due().startswith("one: done (")
    assert note.read_text("utf-8") == "left"
