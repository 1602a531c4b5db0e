"""Changes of the configuration: in the transaction that makes them, in one chain for all."""

import threading
from typing import Any

import pytest
import structlog
from django.db import connection, transaction

from apps.accounts.actor import Actor
from apps.audit.models import ChainHead, ConfigAuditLog
from apps.audit.models.chained import link, start
from apps.audit.services.config_log import record
from apps.lib.secret import Secret

pytestmark = pytest.mark.django_db(transaction=True)
ACTOR = Actor(user_id=7, organisation_id=3, username="operator")


def change(key: str = "create_student", **values: Any) -> ConfigAuditLog:
    return record(actor=ACTOR, action="off", object_kind="tool", object_key=key, **values)


def test_a_change_says_who_what_and_why() -> None:
    with structlog.contextvars.bound_contextvars(trace_id="ab" * 16), transaction.atomic():
        change(reason="it loops", before={"is_on": True}, after={"is_on": False, "why": None})
    row = ConfigAuditLog.objects.get()
    assert (row.actor_id, row.organisation_id, row.username) == (7, 3, "operator")
    assert (row.action, row.object_kind, row.object_key) == ("off", "tool", "create_student")
    assert (row.reason, row.trace_id) == ("it loops", "ab" * 16)
    assert (row.before, row.after) == ('{"is_on":true}', '{"is_on":false,"why":null}')


def test_outside_a_transaction_nothing_is_recorded() -> None:
    with pytest.raises(RuntimeError, match="in the transaction"):
        change()
    assert not ConfigAuditLog.objects.exists()


def test_a_change_that_is_undone_leaves_no_row() -> None:
    with transaction.atomic():
        change("one")
    with transaction.atomic():
        change("two")
        transaction.set_rollback(True)
    with transaction.atomic():
        change("three")
    assert_one_chain(["one", "three"])


def test_secrets_do_not_enter_the_log() -> None:
    with transaction.atomic():
        change(
            reason="key sk-proj-aB3dE6gH9jK2mN5pQ8sT1vW4yZ7cF0hL leaked",
            after={"api_key": Secret("hunter2"), "list": ["a\x00b"]},
        )
    row = ConfigAuditLog.objects.get()
    assert "aB3dE6gH9jK2" not in row.reason
    assert row.after == '{"api_key":"***","list":["a\ufffdb"]}'


def test_threads_share_one_chain() -> None:
    together = threading.Barrier(6)

    def work(name: str) -> None:
        together.wait()
        for number in range(5):
            with transaction.atomic():
                change(f"{name}{number}")
        connection.close()

    threads = [threading.Thread(target=work, args=(name,)) for name in "abcdef"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert_one_chain(None, 30)


def assert_one_chain(keys: list[str] | None, count: int = 0) -> None:
    rows = list(ConfigAuditLog.objects.order_by("position"))
    if keys is not None:
        assert [row.object_key for row in rows] == keys
    assert [row.position for row in rows] == list(range(1, (count or len(rows)) + 1))
    previous = start("config").digest
    for row in rows:
        assert (row.chain, row.previous) == ("config", previous)
        previous = link(previous, row.chained_text())
        assert row.digest == previous
    head = ChainHead.objects.get(pk="config")
    assert (head.table, head.position, head.digest) == ("configauditlog", len(rows), previous)
