"""Turns with many calls while web and worker processes are killed at random: the audit closes.

In CI a few calls and two kills; `bin/test --soak SEED tests/tools/test_audit_soak.py -n 0 -s` makes
3,000 calls under kills every few seconds and lets the real beat, reaper and sweeper end it all.
"""

import json
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db.models.functions import Now

from apps.accounts.models import User
from apps.accounts.services.tokens import issue_token
from apps.agents.models import Agent, Provider
from apps.audit.models import AuditEntry, DeadLetter
from apps.conversations.host.reaper import reap_expired_runs
from apps.conversations.models import Run
from apps.students.models import Student
from apps.tools.models import ToolRun
from tests import factories
from tests.forms.test_submit_processes import database_url
from tests.server import RunningServer
from tests.tools.test_audit_processes import a_minute_passes
from tests.wire_client import Client
from tests.workers import ROOT, Worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.fault, pytest.mark.services]
SEED = os.environ.get("STEWARD_SOAK", "")
CALLS, WEBS, CLIENTS = (3_000, 2, 6) if SEED else (30, 1, 2)
PAUSE = (3.0, 9.0) if SEED else (0.3, 1.0)
KILLS, LONGEST_S, SETTLED_S = 2, 1_800, 180
STEP = {
    "calls": [
        *({"name": "create_student", "arguments": {"name": f"s{place}"}} for place in range(6)),
        *({"name": "search_students", "arguments": {"keyword": "s"}} for _ in range(3)),
        {"name": "no_such_tool", "arguments": {}},
    ]
}


@pytest.fixture
def assistant(organisation: object, alice: User) -> Agent:
    """Its model asks for ten calls at once, then says that it is done."""
    provider = factories.make_provider(
        alice.organisation,
        kind=Provider.Kind.SCRIPTED,
        options={"script": [STEP, {"text": "done"}]},
    )
    agent = factories.make_agent(alice.organisation, provider=provider)
    factories.grant(alice, agent, "use_agent")
    return factories.publish(agent)


class Bed:
    """Processes of the product on the test's database, which are killed and started again."""

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.kills: Counter[str] = Counter()
        self.webs = [RunningServer(environment, "--no-worker") for _ in range(WEBS)]
        self.worker = Worker(environment, size=2)

    def kill(self, dice: random.Random) -> None:
        if not self.kills["worker"] or (self.kills["web"] and dice.random() < 0.4):
            self.worker.kill()
            self.worker, self.kills["worker"] = (
                Worker(self.environment, size=2),
                self.kills["worker"] + 1,
            )
            return
        place = dice.randrange(len(self.webs))
        self.webs[place].process.send_signal(signal.SIGKILL)
        self.webs[place].close()
        self.webs[place] = RunningServer(self.environment, "--no-worker")
        self.kills["web"] += 1

    def close(self) -> None:
        for web in self.webs:
            web.close()
        self.worker.kill()


@contextmanager
def beat(environment: dict[str, str]) -> Iterator[None]:
    """The clock of the installation, which nobody kills."""
    command = [sys.executable, "-m", "celery", "-A", "config.celery", "beat", "--loglevel", "ERROR"]
    process = subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        process.kill()
        process.wait()


def talk(bed: Bed, token: str, ended: threading.Event, turns: Counter[str], dice: int) -> None:
    """Turn after turn in conversations of their own; one that is cut is counted and left."""
    chosen = random.Random(dice)
    while not ended.is_set():
        client = Client(chosen.choice(bed.webs), headers={"Authorization": f"Token {token}"})
        try:
            names = [event.name for event in client.say(client.converse(), "go").events()]
            turns["whole" if names[-1:] == ["run.completed"] else "cut"] += 1
        except (OSError, AssertionError, ValueError):
            turns["cut"] += 1
            time.sleep(0.2)


def settled() -> bool:
    """Nothing is under way: no run, no call, no row of the outbox."""
    open_rows = ToolRun.objects.filter(audit_state="open").exists()
    return not open_rows and not Run.objects.filter(status__in=Run.OPEN).exists()


def wait(holds: Callable[[], bool], seconds: float) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, "it never came to hold"
        time.sleep(0.2)


def help_along() -> None:
    """What a minute and the beat would do."""
    Run.objects.filter(status="running").update(lease_until=Now())
    reap_expired_runs()
    a_minute_passes()
    call_command("sweep_audit")


@pytest.mark.req("TOOL-12", "TOOL-13")
@pytest.mark.case("F02", "F03", "F04", "F06", "JOB-003")
def test_kills_leave_every_pair_closed(alice: User, assistant: Agent, tmp_path: Path) -> None:
    seed = int(SEED or 1)
    dice, turns, ended = random.Random(seed), Counter[str](), threading.Event()
    token = issue_token(user=alice, name="soak")
    environment = {
        "APP_MODE": "test",
        "DATABASE_URL": database_url(),
        "STEWARD_VAR": str(tmp_path),
        "RUNS_PER_MINUTE": "0",
        "OPEN_RUNS_PER_USER": "0",
        "FAILPOINTS": "call.started=sleep:0",
    }
    began = time.monotonic()
    with ExitStack() as stack:
        bed = Bed(environment)
        stack.callback(bed.close)
        if SEED:
            stack.enter_context(beat(environment))
        talkers = [
            threading.Thread(target=talk, args=(bed, token, ended, turns, seed + number))
            for number in range(CLIENTS)
        ]
        for talker in talkers:
            talker.start()
        while (made := ToolRun.objects.count()) < CALLS or bed.kills.total() < KILLS:
            assert time.monotonic() < began + LONGEST_S, f"{made} calls, {turns}"
            time.sleep(dice.uniform(*PAUSE))
            if SEED or (made > 5 and bed.kills.total() < KILLS):
                bed.kill(dice)
        ended.set()
        for talker in talkers:
            talker.join(60)
        if not SEED:
            help_along()
        wait(settled, SETTLED_S)
    report(bed, turns, seed, time.monotonic() - began, tmp_path)
    check(tmp_path)


def check(folder: Path) -> None:
    """One pair a call, one effect a success, chains whole."""
    runs = ToolRun.objects.all()
    pairs = Counter(AuditEntry.objects.values_list("audit_id", "phase"))
    assert set(pairs) == {
        (audit_id, phase)
        for audit_id in runs.values_list("audit_id", flat=True)
        for phase in ("before", "after")
    }
    assert set(pairs.values()) == {1}
    assert not runs.filter(status__in=ToolRun.OPEN).exists()
    assert not DeadLetter.objects.exists()
    told = [
        json.loads(result)["student"]["id"]
        for result in runs.filter(name="create_student", ok=True).values_list("result", flat=True)
    ]
    assert sorted(told) == sorted(Student.objects.values_list("pk", flat=True))
    assert starts(folder) <= runs.exclude(status="refused").count()
    call_command("verify_audit")


def starts(folder: Path) -> int:
    return (folder / "failpoints.log").read_text().count("call.started")


def report(bed: Bed, turns: Counter[str], seed: int, seconds: float, folder: Path) -> None:
    runs = ToolRun.objects.all()
    phases = Counter(AuditEntry.objects.values_list("phase", flat=True))
    lines = [
        f"seed {seed}: {runs.count()} calls in {seconds:.0f} s, {turns['whole']} whole turns and "
        f"{turns['cut']} cut ones, {WEBS} web processes, a worker of 2",
        f"kills (SIGKILL): {bed.kills['web']} web, {bed.kills['worker']} worker",
        f"calls by status: {dict(sorted(Counter(runs.values_list('status', flat=True)).items()))}",
        f"attempts at audit.after by call: "
        f"{dict(sorted(Counter(runs.values_list('audit_attempts', flat=True)).items()))}",
        f"audit rows: {phases['before']} before, {phases['after']} after; "
        f"open {runs.filter(audit_state='open').count()}, "
        f"dead letters {DeadLetter.objects.count()}",
        f"effects: {Student.objects.count()} students, "
        f"{runs.filter(name='create_student', ok=True).count()} calls that say so; "
        f"{starts(folder)} bodies begun",
    ]
    sys.stdout.write("\n".join(lines) + "\n")
