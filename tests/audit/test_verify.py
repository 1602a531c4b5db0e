"""Verification names the first altered, missing or reordered row of each chain."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from apps.accounts.actor import Actor
from apps.audit import chain, ledger, seals
from apps.audit.breaks import Break
from apps.audit.models import (
    AuditEntry,
    ChainHead,
    ConfigAuditLog,
    RetentionAnchor,
    Seal,
    SecurityEvent,
)
from apps.audit.models.chained import link
from apps.audit.services.config_log import record
from apps.lib import clock
from tests.audit.rows import append, entry, event
from tests.audit.tampering import tampering

pytestmark = pytest.mark.django_db(transaction=True)
ROWS = 20
TABLES = [AuditEntry, SecurityEvent, ConfigAuditLog]


@pytest.fixture(autouse=True)
def _small_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ledger, "PAGE", 7)


@pytest.fixture
def rows() -> str:
    append(*(entry() for _ in range(ROWS)))
    return ChainHead.objects.get().chain


def fill(model: Any, count: int = ROWS) -> str:
    for number in range(count):
        if model is AuditEntry:
            append(entry())
        elif model is SecurityEvent:
            append(event())
        else:
            actor = Actor(user_id=1, organisation_id=1, username="operator")
            with transaction.atomic():
                record(actor=actor, action="off", object_kind="tool", object_key=str(number))
    return ChainHead.objects.get(table=chain.table_of(model)).chain


def found() -> list[tuple[int, str]]:
    return [(bad.position, bad.fault) for bad in ledger.verify()]


def move(source: int, target: int) -> None:
    AuditEntry.objects.filter(position=source).update(position=target)


def test_untouched_chains_are_whole() -> None:
    for model in TABLES:
        fill(model)
    seals.seal()
    append(entry())
    seals.seal()
    assert found() == []


@pytest.mark.req("TOOL-11")
@pytest.mark.parametrize("model", TABLES)
def test_every_column_of_every_table_is_held(model: Any) -> None:
    name = fill(model)
    for column in ["previous", "digest", *model.chained_names()]:
        row: Any = model._default_manager.get(position=7)
        old = getattr(row, column)
        new = old + 1 if isinstance(old, int) else clock.now() if column == "at" else "y"
        with tampering():
            model._default_manager.filter(position=7).update(**{column: new})
        bad = next(ledger.verify())
        assert (bad.table, bad.chain, bad.position) == (chain.table_of(model), name, 7), column
        assert bad.fault == "altered"
        with tampering():
            model._default_manager.filter(position=7).update(**{column: old})
    assert found() == []


def test_an_altered_row_is_named_with_its_audit_id(rows: str) -> None:
    with tampering():
        AuditEntry.objects.filter(position=7).update(body="forged")
    named = AuditEntry.objects.get(position=7).audit_id
    expected = Break(table="auditentry", chain=rows, position=7, fault="altered", audit_id=named)
    assert list(ledger.verify()) == [expected]
    assert str(expected) == f"auditentry chain {rows} position 7 audit id {named}: altered"


def test_a_missing_row_is_named(rows: str) -> None:
    with tampering():
        AuditEntry.objects.filter(position=7).delete()
    assert found() == [(7, "missing")]


def test_swapped_rows_are_named(rows: str) -> None:
    with tampering():
        move(7, 99)
        move(8, 7)
        move(99, 8)
    assert found() == [(7, "reordered")]


def test_a_closed_gap_is_named(rows: str) -> None:
    with tampering():
        AuditEntry.objects.filter(position=7).delete()
        for position in range(8, ROWS + 1):
            move(position, position - 1)
    assert found() == [(7, "reordered")]


def test_a_cut_end_shows_by_the_head(rows: str) -> None:
    with tampering():
        AuditEntry.objects.filter(position__gt=18).delete()
    assert found() == [(19, "missing")]


def test_a_row_put_behind_the_head_is_surplus(rows: str) -> None:
    head = ChainHead.objects.get()
    row = entry()
    row.chain, row.position, row.previous = rows, ROWS + 1, head.digest
    row.digest = link(row.previous, row.chained_text())
    row.save()
    assert found() == [(ROWS + 1, "surplus")]


def test_rows_without_a_head_are_surplus(rows: str) -> None:
    ChainHead.objects.all().delete()
    assert found() == [(1, "surplus")]


def test_each_broken_chain_is_named() -> None:
    for model in TABLES:
        fill(model)
        with tampering():
            model._default_manager.filter(position=3).delete()
    assert found() == [(3, "missing")] * 3


def test_rows_appended_meanwhile_are_no_fault(rows: str) -> None:
    def meanwhile(_count: int) -> None:
        append(entry())
        append(event())
        seals.seal()

    assert list(ledger.verify(meanwhile)) == []


# Anchors -----------------------------------------------------------------------------------------
def anchor(position: int, chain: str) -> None:
    row = AuditEntry.objects.get(position=position)
    RetentionAnchor.objects.create(
        chain=chain, table="auditentry", position=position, digest=row.digest,
        at=clock.now(), username="x",
    )  # fmt: skip
    AuditEntry.objects.filter(position__lte=position).delete()


def test_a_purge_that_nobody_told_is_named(rows: str) -> None:
    seals.seal()
    anchor(5, rows)
    assert found() == [(5, "untold")]


def test_the_walk_begins_behind_the_anchor(rows: str) -> None:
    seals.seal()
    anchor(ROWS, rows)
    append(entry())
    assert found() == [(ROWS, "untold")]
    with tampering():
        RetentionAnchor.objects.update(digest="0" * 64)
    assert (ROWS + 1, "reordered") in found() or (ROWS, "altered") in found()


# The command -------------------------------------------------------------------------------------
def verify_audit() -> str:
    out = io.StringIO()
    call_command("verify_audit", stdout=out, stderr=out)
    return out.getvalue()


def test_the_command_says_that_all_is_whole(rows: str) -> None:
    seals.seal()
    said = verify_audit()
    assert "The audit is whole." in said
    assert f"{ROWS} rows" in said
    assert Seal.objects.order_by("-pk")[0].digest in said


def test_the_command_fails_and_names_the_row(rows: str) -> None:
    with tampering():
        AuditEntry.objects.filter(position=7).update(username="mallory")
    out = io.StringIO()
    with pytest.raises(CommandError, match="not whole: 1 broken") as error:
        call_command("verify_audit", stdout=out)
    assert error.value.returncode == 1
    assert f"auditentry chain {rows} position 7" in out.getvalue()
