"""Chains stay whole whatever threads, rollbacks, forks and emptied databases do to them."""

import os
import threading
from collections.abc import Callable
from functools import partial

import pytest
from django.db import IntegrityError, connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from apps.audit import chain
from apps.audit.ledger import verify
from apps.audit.models import AuditEntry, ChainHead, SecurityEvent
from apps.lib.ids import new_id
from tests.audit.rows import append, entry, event, pair
from tests.audit.tampering import tampering

pytestmark = pytest.mark.django_db(transaction=True)


def whole() -> bool:
    return list(verify()) == []


def positions(table: type[AuditEntry | SecurityEvent] = AuditEntry) -> list[int]:
    return sorted(table.objects.values_list("position", flat=True))


def in_thread(work: Callable[[], object]) -> None:
    def body() -> None:
        work()
        connection.close()

    thread = threading.Thread(target=body)
    thread.start()
    thread.join()


@pytest.mark.req("TOOL-11")
def test_rows_follow_each_other() -> None:
    append(*pair(), *pair())
    append(entry())
    append(event())
    assert positions() == [1, 2, 3, 4, 5]
    assert positions(SecurityEvent) == [1]
    assert AuditEntry.objects.values("chain").distinct().count() == 1
    assert whole()


def test_each_thread_has_a_chain_of_its_own() -> None:
    for _ in range(3):
        in_thread(lambda: append(*pair()))
    assert positions() == [1, 1, 1, 2, 2, 2]
    assert whole()


def test_many_threads_at_once_stay_whole() -> None:
    together = threading.Barrier(5)

    def work() -> None:
        together.wait()
        for _ in range(8):
            append(*pair())
            append(event())
        connection.close()

    threads = [threading.Thread(target=work) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert ChainHead.objects.count() == 10
    assert AuditEntry.objects.count() == 80
    assert whole()


def test_a_rollback_leaves_no_gap() -> None:
    for number in range(6):
        with transaction.atomic():
            append(entry())
            transaction.set_rollback(number % 2 == 1)
    assert positions() == [1, 2, 3]
    assert whole()


def test_a_savepoint_that_fails_leaves_no_gap() -> None:
    for _ in range(3):
        with transaction.atomic():
            append(entry())
            with transaction.atomic():
                append(entry())
                transaction.set_rollback(True)
            append(entry())
    assert positions() == [1, 2, 3, 4, 5, 6]
    assert whole()


def test_a_commit_nobody_told_us_of_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    append(entry())
    with monkeypatch.context() as patch:
        patch.setattr(chain.Chain, "_know", lambda *_: None)
        append(entry())
    append(entry())
    assert positions() == [1, 2, 3]


def test_what_a_commit_callback_appends_is_not_forgotten() -> None:
    with transaction.atomic():
        transaction.on_commit(lambda: append(entry()))
        append(entry())
    append(entry())
    assert positions() == [1, 2, 3]
    assert whole()


def test_a_head_moved_by_another_is_left_alone() -> None:
    append(entry())
    ours = ChainHead.objects.get()
    ChainHead.objects.update(digest="f" * 64)
    append(entry())
    assert ChainHead.objects.get(pk=ours.pk).position == 1
    assert positions() == [1, 1]


def test_an_emptied_database_begins_another_chain() -> None:
    append(entry(), entry())
    with tampering():
        AuditEntry.objects.all().delete()
        ChainHead.objects.all().delete()
    append(entry())
    assert positions() == [1]
    assert whole()


def test_a_forked_process_begins_chains_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    append(entry())
    monkeypatch.setattr(os, "getpid", lambda: 1)
    append(entry())
    assert positions() == [1, 1]
    assert whole()


def test_odd_text_is_hashed_as_it_is_stored() -> None:
    texts = [
        '{"n": 1e22}',
        '{"n": 1E+22}',
        "张三 \u2028 👩‍👩‍👧",
        '{"a":1,"a":2}',
        " \n\t ",
        "e\u0301",
    ]
    append(*(entry(body=text) for text in texts))
    assert whole()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(
            ["plain", "hot", "rolled back", "savepoint", "thread", "emptied", "foreign"]
        ),
        st.integers(1, 4),
        st.text(st.characters(codec="utf-8", exclude_characters="\x00"), max_size=20),
    ),
    max_size=12,
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(steps=STEPS)
def test_any_history_stays_whole(steps: list[tuple[str, int, str]]) -> None:
    for kind, count, text in steps:
        {
            "plain": _plain,
            "hot": _hot,
            "rolled back": _rolled_back,
            "savepoint": _savepoint,
            "thread": _thread,
            "emptied": _emptied,
            "foreign": _foreign,
        }[kind](count, text)
    assert whole()


def _plain(count: int, text: str) -> None:
    append(*(entry(body=text) for _ in range(count)))


def _hot(count: int, text: str) -> None:
    with transaction.atomic():
        chain.append_hot([entry(body=text) for _ in range(count)])


def _rolled_back(count: int, text: str) -> None:
    with transaction.atomic():
        _plain(count, text)
        transaction.set_rollback(True)


def _savepoint(count: int, text: str) -> None:
    with transaction.atomic():
        _plain(count, text)
        _rolled_back(count, text)
        _plain(1, text)


def _thread(count: int, text: str) -> None:
    in_thread(partial(_plain, count, text))


def _emptied(count: int, text: str) -> None:
    with tampering():
        AuditEntry.objects.all().delete()
        ChainHead.objects.all().delete()


def _foreign(count: int, text: str) -> None:
    """The head is gone with its rows: as after a restored backup."""
    with tampering():
        for head in ChainHead.objects.all()[:count]:
            AuditEntry.objects.filter(chain=head.pk).delete()
            head.delete()


def test_an_id_is_written_once_a_phase() -> None:
    audit_id = new_id()
    append(entry(audit_id=audit_id))
    with pytest.raises(IntegrityError):
        append(entry(audit_id=audit_id))
    append(entry())
    assert positions() == [1, 2]
    assert whole()
