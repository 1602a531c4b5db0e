"""What only a seal shows, and that seals are held themselves."""

import logging
from typing import Any

import pytest

from apps.audit import ledger, seals
from apps.audit.models import AuditEntry, ChainHead, Seal
from apps.audit.models.chained import link
from apps.audit.tasks import seal as seal_task
from apps.lib import clock
from tests.audit.rows import append, entry, event
from tests.audit.tampering import tampering

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = 20


@pytest.fixture
def rows() -> str:
    append(*(entry() for _ in range(ROWS)))
    return ChainHead.objects.get().chain


def found() -> list[tuple[int, str]]:
    return [(bad.position, bad.fault) for bad in ledger.verify()]


def test_a_cut_end_with_its_head_shows_by_the_seal(rows: str) -> None:
    seals.seal()
    cut(18)
    assert found() == [(19, "missing")]


def test_a_cut_end_that_was_written_anew_shows_by_the_seal(rows: str) -> None:
    seals.seal()
    cut(18)
    append(entry(), entry(), entry())
    with tampering():
        forge(19)
    assert (20, "altered") in found()


def cut(position: int) -> None:
    with tampering():
        AuditEntry.objects.filter(position__gt=position).delete()
        last = AuditEntry.objects.get(position=position)
        ChainHead.objects.filter(table="auditentry").update(position=position, digest=last.digest)


def forge(first: int) -> None:
    """Rows from there on are made of the newest chain's, as if nothing had been cut."""
    name = AuditEntry.objects.get(position=first - 1).chain
    last = AuditEntry.objects.get(position=first - 1)
    place = (first - 1, last.digest)
    others = AuditEntry.objects.exclude(chain=name).order_by("position")
    if others:
        ChainHead.objects.filter(pk=others[0].chain).delete()
    for row in others:
        row.chain, row.position, row.previous = name, place[0] + 1, place[1]
        row.digest = link(row.previous, row.chained_text())
        row.save()
        place = (row.position, row.digest)
    ChainHead.objects.filter(pk=name).update(position=place[0], digest=place[1])


def test_a_whole_chain_removed_shows_by_the_seal(rows: str) -> None:
    seals.seal()
    with tampering():
        AuditEntry.objects.all().delete()
        ChainHead.objects.filter(table="auditentry").delete()
    assert found() == [(1, "missing")]


def test_a_chain_rewritten_with_its_head_shows_by_the_seal(rows: str) -> None:
    seals.seal()
    with tampering():
        previous = AuditEntry.objects.get(position=6).digest
        for row in AuditEntry.objects.filter(position__gt=6).order_by("position"):
            row.previous, row.body = previous, "forged"
            previous = row.digest = link(previous, row.chained_text())
            row.save()
        ChainHead.objects.filter(table="auditentry").update(digest=previous)
    assert found() == [(ROWS, "altered")]


@pytest.fixture
def sealed(rows: str) -> None:
    for _ in range(4):
        append(entry())
        seals.seal()


@pytest.mark.parametrize(
    "change", [{"heads": "{}"}, {"heads": "no json"}, {"digest": "0" * 64}, {"at": None}]
)
def test_an_altered_seal_is_named(sealed: None, change: dict[str, Any]) -> None:
    second = Seal.objects.order_by("pk")[1]
    values = {name: value or clock.now() for name, value in change.items()}
    with tampering():
        Seal.objects.filter(pk=second.pk).update(**values)
    bad = list(ledger.verify())
    assert [(b.table, b.position, b.fault) for b in bad] == [("seal", 2, "altered")]


def test_a_removed_seal_shows(sealed: None) -> None:
    with tampering():
        Seal.objects.filter(pk=Seal.objects.order_by("pk")[1].pk).delete()
    assert found() == [(2, "altered")]


def test_the_last_seal_removed_shows_by_its_head(sealed: None) -> None:
    with tampering():
        Seal.objects.filter(pk=Seal.objects.order_by("-pk")[0].pk).delete()
    assert found() == [(4, "missing")]


def test_a_seal_put_behind_is_surplus(sealed: None) -> None:
    last = Seal.objects.order_by("-pk")[0]
    row = Seal(at=clock.now(), heads="{}")
    row.digest = link(last.digest, seals.text_of_seal(row))
    row.save()
    assert found() == [(5, "surplus")]


def test_a_seal_names_what_moved_lately(rows: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert rows in seals.seal().heads
    monkeypatch.setenv("CLOCK_OFFSET_S", "7000")
    append(event())
    assert rows in seals.seal().heads  # its last row is younger than an hour before the last seal
    monkeypatch.setenv("CLOCK_OFFSET_S", "14000")
    assert rows not in seals.seal().heads
    append(entry())
    assert rows in seals.seal().heads
    assert found() == []


def test_a_seal_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "apps.audit.seals")
    seal_task()
    assert Seal.objects.get().digest in caplog.text
