"""Each process of the Procfile starts on PostgreSQL and Redis, and does its work."""

import os
import re
import shlex
import signal
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest

from tests.server import seeded

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60
LEAVE_TO_WORKER = """
import django, time
django.setup()
from datetime import timedelta
from apps.accounts.models import ApiToken, User
from apps.accounts.services.tokens import issue_token
from apps.accounts.tasks import purge_expired_sign_ins
from apps.lib import clock
issue_token(user=User.objects.get(username="alice"), name="dead")
dead = ApiToken.objects.filter(name="dead")
dead.update(expires_at=clock.now() - timedelta(days=1))
purge_expired_sign_ins.delay()
end = time.monotonic() + 50
while dead.exists() and time.monotonic() < end:
    time.sleep(0.2)
print("still there" if dead.exists() else "purged")
"""


def commands() -> dict[str, str]:
    lines = (ROOT / "Procfile").read_text("utf-8").splitlines()
    return dict(line.split(": ", 1) for line in lines)


def _shell() -> dict[str, str]:
    """What a plain shell has: pytest's variable for Django is not in it."""
    return {name: value for name, value in os.environ.items() if name != "DJANGO_SETTINGS_MODULE"}


@contextmanager
def started(name: str, environment: dict[str, str]) -> Iterator["Running"]:
    command = commands()[name].replace("${PORT:-8000}", "0")
    folder = str(Path(sys.executable).parent)
    log = Path(environment["STEWARD_VAR"]) / f"{name}.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            shlex.split(command),
            cwd=ROOT,
            env={**_shell(), **environment, "PATH": f"{folder}:{os.environ['PATH']}"},
            stdout=out,
            stderr=subprocess.STDOUT,
        )
    try:
        yield Running(process, log)
    finally:
        if process.poll() is None:
            for child in psutil.Process(process.pid).children(recursive=True):
                child.kill()
            process.kill()
            process.wait()


class Running:
    """A process of the Procfile and what it has said."""

    def __init__(self, process: "subprocess.Popen[bytes]", log: Path) -> None:
        self.process, self.log = process, log

    def says(self, pattern: str) -> "re.Match[str]":
        """Waits until it does; fails when it ends first."""
        deadline = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.log.read_text("utf-8")):
                return found
            assert self.process.poll() is None, self.log.read_text("utf-8")
            time.sleep(0.1)
        raise AssertionError(f"{pattern!r} never came: {self.log.read_text('utf-8')}")

    def ends_on_sigterm(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(PATIENCE_S)


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with seeded(REDIS_URL=os.environ["REDIS_URL"]) as found:
        yield found


def test_the_procfile_names_four_processes() -> None:
    assert list(commands()) == ["web", "worker", "beat", "host"]


@pytest.mark.req("OPS-1")
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_web_becomes_ready_and_leaves(environment: dict[str, str]) -> None:
    with started("web", environment) as web:
        port = web.says(r"http://127\.0\.0\.1:(\d+)/")[1]
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=10) as answer:
            assert answer.status == 200
        assert web.ends_on_sigterm() == 0


@pytest.mark.req("OPS-1")
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_worker_does_what_another_process_asks(environment: dict[str, str]) -> None:
    with started("worker", environment) as worker:
        assert run(environment, LEAVE_TO_WORKER) == "purged\n", worker.log.read_text("utf-8")
        assert worker.ends_on_sigterm() == 0


@pytest.mark.req("OPS-1")
@pytest.mark.services
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", ["beat", "host"])
def test_beat_and_host_stay_until_told(environment: dict[str, str], name: str) -> None:
    with started(name, environment) as running:
        with pytest.raises(subprocess.TimeoutExpired):
            running.process.wait(8)
        assert "Traceback" not in running.log.read_text("utf-8")
        assert running.ends_on_sigterm() in (0, -signal.SIGTERM)  # beat has nothing to put away


def run(environment: dict[str, str], code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env={**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
