"""Real processes of `manage.py run_host`: killed in mid-stream, ended, and side by side."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.db.models.functions import Now

from apps.accounts.models import User
from apps.agents.models import Agent, Provider
from apps.conversations.models import Conversation, EventBatch, Run
from apps.conversations.units import lease_end
from tests import factories
from tests.conversations.host.conftest import another
from tests.conversations.host.support import say
from tests.conversations.host.test_reaper import stream_of
from tests.server import START_SECONDS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.fault]
ROOT = Path(__file__).resolve().parents[3]
LONG = {"text": " ".join(f"word{n}" for n in range(2000)), "paceMs": 20}
Spawn = Callable[[], "subprocess.Popen[str]"]


@pytest.fixture
def assistant(organisation: object, alice: User) -> Agent:
    """Its model speaks for 40 seconds."""
    provider = factories.make_provider(
        alice.organisation, kind=Provider.Kind.SCRIPTED, options={"script": [LONG]}
    )
    agent = factories.make_agent(alice.organisation, provider=provider, tools=())
    factories.grant(alice, agent, "use_agent")
    return factories.publish(agent)


@pytest.fixture
def spawn() -> Iterator[Spawn]:
    """Starts a host on this test's database."""
    children: list[subprocess.Popen[str]] = []

    def start() -> "subprocess.Popen[str]":
        child = subprocess.Popen(
            [sys.executable, "manage.py", "run_host"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": _url(), "APP_MODE": "test"},
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        children.append(child)
        return child

    yield start
    for child in children:
        child.kill()
        child.communicate()


def _url() -> str:
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    address = f"{settings['HOST']}:{settings['PORT'] or 5432}"
    return f"postgres://{settings['USER']}:{settings['PASSWORD']}@{address}/{settings['NAME']}"


def wait_for(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + START_SECONDS
    while not holds():
        assert time.monotonic() < deadline, "it never came to hold"
        time.sleep(0.05)


def speaking(run_id: str) -> bool:
    return EventBatch.objects.filter(run_id=run_id, payload__contains="message.delta").count() > 1


def test_killed_host_leaves_its_run_to_another(conversation: Conversation, spawn: Spawn) -> None:
    run_id = say(conversation).run_id
    first = spawn()
    wait_for(lambda: speaking(run_id))
    first.send_signal(signal.SIGKILL)
    first.wait()
    second = spawn()  # started while the lease still runs: it leaves the run alone
    assert second.stdout is not None
    assert "Hosting" in second.stdout.readline()
    time.sleep(0.5)
    run = Run.objects.get(pk=run_id)
    assert run.status == "running"
    Run.objects.filter(pk=run_id).update(lease_until=Now())  # fifteen seconds later
    third = spawn()
    wait_for(lambda: Run.objects.get(pk=run_id).status == "failed")
    events = stream_of(run)
    assert events[-2].data["code"] == "run_interrupted"
    assert events[-2].data["retryable"] is True
    assert "word1" in events[-3].data["content"]
    assert third.poll() is None
    again = say(another(conversation.user, conversation.agent))
    wait_for(lambda: speaking(again.run_id))


def test_terminated_idle_host_ends_at_once(assistant: Agent, spawn: Spawn) -> None:
    host = spawn()
    assert host.stdout is not None
    assert "Hosting" in host.stdout.readline()
    time.sleep(0.3)
    begun = time.monotonic()
    host.terminate()
    assert "Stopped." in host.communicate(timeout=15)[0]
    assert host.returncode == 0
    assert time.monotonic() - begun < 10


def test_live_host_renews_its_lease(conversation: Conversation, spawn: Spawn) -> None:
    run_id = say(conversation).run_id
    spawn()
    wait_for(lambda: speaking(run_id))
    Run.objects.filter(pk=run_id).update(lease_until=lease_end())
    before = Run.objects.get(pk=run_id).lease_until
    assert before is not None
    wait_for(lambda: (Run.objects.get(pk=run_id).lease_until or before) > before)
