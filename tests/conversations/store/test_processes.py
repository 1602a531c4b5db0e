"""Two real processes on one database: what holds between threads holds between them."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import pytest
from django.db import connection

from apps.conversations.models import Conversation, Message, Run

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[3]
ROUNDS = 10
Child = subprocess.Popen[str]


@pytest.fixture(scope="module")
def children(django_db_setup: None) -> Iterator[list[Child]]:
    """Started once: a process takes seconds to come up."""
    with ExitStack() as stack:
        pair = [stack.enter_context(_child()) for _ in range(2)]
        assert [_line(child) for child in pair] == ["ready", "ready"]
        yield pair


@pytest.mark.req("RUN-7", "RUN-8")
@pytest.mark.parametrize("shared", [True, False], ids=["same request", "other request"])
def test_two_processes_start_one_run(
    conversation: Conversation, children: list[Child], shared: bool
) -> None:
    for number in range(ROUNDS):
        request_id = str(uuid4()) if shared else "new"
        answers = set(_both(children, f"start {conversation.pk} {request_id}"))
        run = Run.objects.latest("created_at")
        assert answers == ({run.pk} if shared else {run.pk, "run_in_progress"})
        assert Run.objects.count() == number + 1
        Run.objects.update(status="completed")


@pytest.mark.case("STR-029")
def test_appends_of_two_processes_all_stand(
    conversation: Conversation, children: list[Child]
) -> None:
    assert _both(children, f"append {conversation.pk} 25") == ["done", "done"]
    messages = Message.objects.filter(conversation=conversation).order_by("pk")
    assert len(set(messages.values_list("pk", flat=True))) == 100
    assert [message.role for message in messages] == ["user", "assistant"] * 50
    assert all(a.run_id == b.run_id for a, b in zip(messages[::2], messages[1::2], strict=True))


@contextmanager
def _child() -> Iterator[Child]:
    environment = {
        **os.environ,
        "DATABASE_URL": _test_database(),
        "RUNS_PER_MINUTE": "0",
        "OPEN_RUNS_PER_USER": "0",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "tests.conversations.store.child"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _both(children: list[Child], order: str) -> list[str]:
    """Give both the order at the same moment; what each answered."""
    for child in children:
        assert child.stdin is not None
        child.stdin.write(f"{order}\n")
        child.stdin.flush()
    return [_line(child) for child in children]


def _line(child: Child) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def _test_database() -> str:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
