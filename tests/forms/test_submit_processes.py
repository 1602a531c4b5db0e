"""Between processes, too, a form is submitted once, wholly or not at all."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from django.db import connection

from apps.conversations.models import Conversation, Message, Run
from apps.forms.models import FormInstance

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.django_db(transaction=True)


def database_url() -> str:
    """Of the database that this test runs on."""
    named = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{named['NAME']}"
    login = f"{named['USER']}:{named['PASSWORD']}" if named["PASSWORD"] else named["USER"]
    return f"postgres://{login}@{named['HOST']}:{named['PORT'] or 5432}/{named['NAME']}"


def racer(form: FormInstance, name: str, **environment: str) -> subprocess.Popen[str]:
    """A process that stands ready to submit."""
    environment |= {
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.forms.racer", form.conversation_id, form.pk, name],
        cwd=ROOT,
        env=os.environ | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    return process


@pytest.mark.req("FORM-5")
def test_one_of_two_processes_wins(conversation: Conversation, form: FormInstance) -> None:
    racers = [racer(form, name) for name in ("甲", "乙")]
    for process in racers:
        assert process.stdin is not None
        process.stdin.write("\n")
        process.stdin.flush()
    statuses = sorted(int(process.communicate(timeout=30)[0]) for process in racers)
    assert statuses == [200, 409]
    form.refresh_from_db()
    assert Message.objects.get(role=Message.Role.USER).content == form.summary
    assert Run.objects.count() == 1


@pytest.mark.fault
@pytest.mark.req("FORM-6")
def test_a_kill_leaves_nothing_half_written(conversation: Conversation, form: FormInstance) -> None:
    process = racer(form, "甲", FAILPOINTS="form.submitted=kill")
    process.communicate("\n", timeout=30)
    assert process.returncode == -signal.SIGKILL
    form.refresh_from_db()
    assert form.state == FormInstance.State.PENDING
    assert form.message.metadata["uiForms"][0]["status"] == "pending"
    assert not Run.objects.exists()
    assert not Message.objects.filter(role=Message.Role.USER).exists()
