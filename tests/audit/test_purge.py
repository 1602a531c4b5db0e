"""Old audit rows go in closed segments behind an anchor, and nothing else goes."""

import io
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction
from pytest_django.fixtures import Settings

from apps.accounts.models import Organisation, User
from apps.audit import holding, ledger, seals
from apps.audit.models import (
    AuditEntry,
    ChainHead,
    ConfigAuditLog,
    LegalHold,
    RetentionAnchor,
    SecurityEvent,
)
from apps.audit.services import config_log
from apps.audit.services import purge as purging
from apps.audit.services.purge import TooYoungError, purge
from apps.lib import clock
from tests.audit.rows import append, entry, event, pair

pytestmark = pytest.mark.django_db(transaction=True)
DAY = timedelta(days=1)


def old(days: int = 1200) -> datetime:
    return clock.now() - days * DAY


def purged(**options: Any) -> int:
    return sum(segment.rows for segment in purge(**options))


def left() -> list[int]:
    return list(AuditEntry.objects.order_by("position").values_list("position", flat=True))


def whole() -> bool:
    return list(ledger.verify()) == []


def hold(kind: str, key: str) -> LegalHold:
    return LegalHold.objects.create(
        kind=kind, key=key, reason="x", organisation_id=1, placed_by="x", placed_at=clock.now()
    )


@pytest.mark.req("TOOL-28")
def test_old_segments_go_and_the_chains_stay_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(purging, "SEGMENT", 3)
    append(*pair(at=old()), *pair(at=old()), *pair(at=old()), *pair())
    append(event(at=old()), event())
    seals.seal()
    assert purged() == 7
    assert left() == [7, 8]
    assert SecurityEvent.objects.count() == 1
    anchors = RetentionAnchor.objects.filter(table="auditentry").order_by("position")
    assert [anchor.position for anchor in anchors] == [3, 6]
    assert whole()
    append(*pair())
    seals.seal()
    assert whole()
    assert purged() == 0


@pytest.mark.req("TOOL-28")
def test_a_whole_chain_may_go_and_be_continued() -> None:
    append(*pair(at=old()))
    seals.seal()
    assert purged() == 2
    append(*pair())
    assert left() == [3, 4]
    assert whole()


def test_each_segment_stands_in_the_config_log() -> None:
    append(*pair(at=old()))
    purged()
    anchor, told = RetentionAnchor.objects.get(), ConfigAuditLog.objects.get()
    assert (told.action, told.object_kind) == ("purge", "audit_chain")
    assert told.object_key == f"{anchor.chain}:2"
    assert '"rows":2' in told.after


def test_the_config_log_is_purged_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CLOCK_OFFSET_S", str(-1200 * 86_400))
    append(*pair(at=old()))
    purged()
    monkeypatch.delenv("CLOCK_OFFSET_S")
    assert purged() == 1
    assert [row.object_key for row in ConfigAuditLog.objects.all()] == ["config:1"]
    assert whole()


@pytest.mark.req("TOOL-28")
def test_what_is_younger_than_the_retention_stays(settings: Settings) -> None:
    settings.AUDIT_RETENTION_DAYS = 200
    append(*pair(at=old(201)), *pair(at=old(199)))
    assert purged() == 2
    with pytest.raises(TooYoungError):
        purged(before=old(199))
    assert left() == [3, 4]


def test_a_named_day_spares_what_came_after_it() -> None:
    append(*pair(at=old(1300)), *pair(at=old(1200)))
    assert purged(before=old(1250)) == 2


@pytest.mark.req("TOOL-28")
def test_an_open_pair_stops_its_chain() -> None:
    append(*pair(at=old()), entry(at=old()), *pair(at=old()))
    assert purged() == 2
    assert left() == [3, 4, 5]


def test_a_pair_closed_lately_stays_whole() -> None:
    before, after = pair(at=old())
    after.at = clock.now()
    append(before, after)
    assert purged() == 0


@pytest.mark.req("TOOL-28")
@pytest.mark.parametrize(("kind", "key"), [("user", "7"), ("organisation", "3")])
def test_a_hold_stops_the_purge_of_what_it_covers(kind: str, key: str) -> None:
    append(*pair(at=old()), *pair(at=old(), user_id=7, organisation_id=3), *pair(at=old()))
    append(event(at=old()), event(at=old(), user_id=7, organisation_id=3))
    placed = hold(kind, key)
    assert purged() == 3
    assert left() == [3, 4, 5, 6]
    LegalHold.objects.filter(pk=placed.pk).update(lifted_at=clock.now())
    assert purged() >= 5
    assert whole()


@pytest.mark.parametrize("page", [1, 2, 3])
def test_a_purge_beside_a_verification_is_no_fault(
    monkeypatch: pytest.MonkeyPatch, page: int
) -> None:
    monkeypatch.setattr(ledger, "PAGE", page)
    append(*pair(at=old()), *pair(at=old()), *pair(), *pair())
    seals.seal()
    assert list(ledger.verify(lambda _: purged())) == []
    assert left() == [5, 6, 7, 8]


def test_a_dry_run_changes_nothing() -> None:
    append(*pair(at=old()))
    assert purged(dry_run=True) == 2
    assert not RetentionAnchor.objects.exists()
    assert left() == [1, 2]


def test_a_purge_that_fails_leaves_all_as_it_was(monkeypatch: pytest.MonkeyPatch) -> None:
    append(*pair(at=old()))

    def fail(**_: Any) -> None:
        raise IntegrityError("the config log is closed")

    with monkeypatch.context() as patch:
        patch.setattr(config_log, "record", fail)
        with pytest.raises(IntegrityError):
            purged()
    assert left() == [1, 2]
    assert not RetentionAnchor.objects.exists()
    assert purged() == 2


# The trigger -------------------------------------------------------------------------------------
def refused(statement: str, *values: Any) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, values)
    except IntegrityError as error:
        return "immutable" in str(error)
    return False


@pytest.mark.req("TOOL-11")
def test_only_what_stands_behind_an_anchor_can_be_deleted() -> None:
    append(*pair(at=old()), *pair(at=old()))
    name = ChainHead.objects.get().chain
    RetentionAnchor.objects.create(
        chain=name, table="auditentry", position=2, digest="0" * 64, at=clock.now(), username="x"
    )
    assert refused("DELETE FROM audit_auditentry WHERE position >= %s", 2)
    assert refused("UPDATE audit_auditentry SET body = 'x' WHERE position = %s", 1)
    assert not refused("DELETE FROM audit_auditentry WHERE position <= %s", 2)
    assert left() == [3, 4]


# The command -------------------------------------------------------------------------------------
def run(*arguments: str) -> str:
    out = io.StringIO()
    call_command("purge_audit", *arguments, stdout=out, stderr=io.StringIO())
    return out.getvalue()


def test_the_command_says_what_went() -> None:
    append(*pair(at=old()))
    assert "auditentry: 2 rows would be purged" in run("--dry-run")
    assert "2 rows purged" in run()
    assert "0 rows purged" in run()


def test_the_command_refuses_a_young_day() -> None:
    with pytest.raises(CommandError, match="must stay for 1095 days"):
        run("--before", clock.now().date().isoformat())


def test_a_held_conversation_keeps_its_rows(
    organisation: Organisation, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Source:
        def organisation_of(self, conversation_id: str) -> int | None:
            return organisation.pk

        def runs_of(self, conversation_ids: Any) -> set[str]:
            return {"runrunrun01"} if "held" in conversation_ids else set()

    monkeypatch.setattr(holding, "_source", [Source()])
    rows = pair(at=old())
    for row in rows:
        row.run_id = "runrunrun01"
    append(*pair(at=old()), *rows)
    append(event(at=old(), audit_id=rows[0].audit_id))
    hold("conversation", "held")
    assert purged() == 2
    assert SecurityEvent.objects.count() == 1
