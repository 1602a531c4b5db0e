"""`manage.py serve` as a process: what it refuses, and how it ends."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.grammar import check_stream
from tests.protocols.model_server import ModelServer
from tests.server import ROOT, RunningServer, manage, running, seeded
from tests.wire_client import Client, wait_until

pytestmark = pytest.mark.req("OPS-2")


LEASE_IS_OVER = (
    "from apps.conversations.models import Run; from apps.lib.clock import now;"
    "assert Run.objects.filter(status='running').update(lease_until=now().replace(year=2020))"
)
ELSEWHERE = """
from django.core.management import CommandError, call_command
for host in ("::", "192.0.2.1", "example.org"):
    try:
        call_command("serve", host=host, port=0)
    except CommandError as refusal:
        print(refusal)
"""


@pytest.fixture(scope="module")
def environment() -> Iterator[dict[str, str]]:
    with seeded() as made:
        yield made


def serve(environment: dict[str, str], *arguments: str) -> tuple[int, str]:
    """Exit code and output of a `serve` that ends by itself."""
    done = subprocess.run(
        [sys.executable, "manage.py", "serve", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def test_demo_passwords_stay_on_this_machine(environment: dict[str, str]) -> None:
    code, output = serve(environment, "--host", "0.0.0.0", "--port", "0")  # noqa: S104
    assert code == 1
    assert "Refusing to listen on 0.0.0.0" in output
    assert "alice" in output
    assert "Traceback" not in output


def test_no_address_but_its_own_is_this_machine(environment: dict[str, str]) -> None:
    told = manage(environment, "shell", "-v", "0", "-c", ELSEWHERE).splitlines()
    refused = [f"Refusing to listen on {host}:" for host in ("::", "192.0.2.1", "example.org")]
    assert [line[: len(refusal)] for line, refusal in zip(told, refused, strict=True)] == refused


def test_taken_port_is_told(environment: dict[str, str]) -> None:
    server = RunningServer(environment)
    code, output = serve(environment, "--port", str(server.port))
    server.close()
    assert code == 1
    assert f"127.0.0.1:{server.port}" in output
    assert "Traceback" not in output


def test_missing_migrations_are_told(environment: dict[str, str], tmp_path: Path) -> None:
    empty = environment | {"DATABASE_URL": f"sqlite:///{tmp_path}/empty.sqlite3"}
    code, output = serve(empty, "--port", "0")
    assert code == 1
    assert "manage.py migrate" in output
    assert "Traceback" not in output


def test_process_without_host_leaves_runs_queued(environment: dict[str, str]) -> None:
    server = RunningServer(environment, "--no-host", "--no-worker")
    alice = Client(server).take_token("alice")
    conversation = alice.converse()
    stream = alice.say(conversation, "你好")
    assert stream.status == 200
    stream.close()
    assert (
        alice.get(f"/api/ai/chat/conversations/{conversation}/")["activeRun"]["status"] == "queued"
    )
    helper = RunningServer(environment, "--no-worker")
    again = alice.follow(conversation, stream.run_id)
    events = list(again.events())
    server.close()
    helper.close()
    check_stream(events)
    assert events[-1].data["status"] == "completed"


def test_process_without_host_ends_the_runs_of_a_dead_one(environment: dict[str, str]) -> None:
    server = RunningServer(environment, "--no-worker")
    alice = Client(server).take_token("alice")
    conversation = alice.converse()
    stream = alice.say(conversation, "/slow 你好")
    next(stream.events())
    server.close()  # as by kill -9
    manage(environment, "shell", "-c", LEASE_IS_OVER)
    other = RunningServer(environment, "--no-host", "--no-worker")
    again = Client(other).take_token("alice").follow(conversation, stream.run_id)
    events = list(again.events())
    other.close()
    assert events[-1].data["status"] == "failed"
    assert events[-2].data["code"] == "run_interrupted"


@pytest.mark.req("RUN-9")
def test_sigterm_lets_the_run_come_to_its_end(model: ModelServer) -> None:
    with running(OPENAI_BASE_URL=model.url) as server:
        alice = Client(server).take_token("alice")
        conversation = alice.converse()
        stream = alice.say(conversation, "count 60 0.05")
        events = stream.events()
        first = next(events)
        server.terminate()
        signalled = time.monotonic()
        wait_until(lambda: alice.request("GET", "/readyz").status == 503, 3)
        rest = list(events)
        check_stream([first, *rest])
        assert rest[-1].data["status"] == "completed"
        assert server.process.wait(20) == 0
        assert time.monotonic() - signalled < 30
