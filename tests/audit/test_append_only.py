"""What stands in the audit is never changed, and goes by no door but the one behind an anchor."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import DatabaseError, connection, models, transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation
from apps.audit import seals
from apps.audit.models import (
    AuditEntry,
    ConfigAuditLog,
    RetentionAnchor,
    Seal,
    SecurityEvent,
)
from apps.audit.services.config_log import record
from apps.lib import clock
from tests import factories
from tests.audit.rows import append, entry, event, pair

pytestmark = pytest.mark.django_db(transaction=True)
TABLES: list[Any] = [AuditEntry, SecurityEvent, ConfigAuditLog, Seal, RetentionAnchor]


@pytest.fixture(autouse=True)
def _rows(transactional_db: None) -> None:
    append(*pair(), entry())
    append(event())
    with transaction.atomic():
        actor = Actor(user_id=1, organisation_id=1, username="operator")
        record(actor=actor, action="off", object_kind="tool", object_key="x")
    seals.seal()


def anchor(row: AuditEntry, position: int) -> None:
    RetentionAnchor.objects.create(
        chain=row.chain, table="auditentry", position=position, digest=row.digest,
        at=clock.now(), username="x",
    )  # fmt: skip


def refused(act: Any) -> bool:
    try:
        with transaction.atomic():
            act()
    except DatabaseError as error:
        return "immutable" in str(error)
    return False


def run(statement: str) -> Any:
    def act() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return act


def doors(table: type[models.Model]) -> Iterator[Any]:
    """Every way to change or remove a row."""
    rows, name = table._default_manager, table._meta.db_table
    row = rows.order_by("pk")[0]
    column = "username" if table is RetentionAnchor else "digest"
    yield lambda: rows.update(**{column: "x"})
    yield rows.all().delete
    yield row.delete
    yield row.save
    yield lambda: rows.bulk_update([row], [column])
    yield lambda: rows.bulk_create(
        [row], update_conflicts=True, unique_fields=["id"], update_fields=[column]
    )
    yield run(f"UPDATE {name} SET {column} = 'x'")  # noqa: S608
    yield run(f"DELETE FROM {name}")  # noqa: S608
    if connection.vendor == "postgresql":
        yield run(f"TRUNCATE {name} CASCADE")
    else:
        yield run(f"INSERT OR REPLACE INTO {name} SELECT * FROM {name}")  # noqa: S608


@pytest.mark.req("TOOL-11")
@pytest.mark.parametrize("table", TABLES)
def test_no_door_leads_to_a_written_row(table: Any) -> None:
    if table is RetentionAnchor:
        anchor(AuditEntry.objects.get(position=1), 1)
    before = list(table.objects.order_by("pk").values())
    for number, act in enumerate(doors(table)):
        assert refused(act), number
    assert list(table.objects.order_by("pk").values()) == before


@pytest.mark.req("TOOL-11")
def test_the_trigger_lets_pass_only_what_an_anchor_covers() -> None:
    first = AuditEntry.objects.get(position=1)
    for row in AuditEntry.objects.order_by("position"):
        assert refused(row.delete)
    anchor(first, 2)
    assert refused(AuditEntry.objects.all().delete)
    assert refused(AuditEntry.objects.get(position=3).delete)
    assert refused(lambda: AuditEntry.objects.filter(position=1).update(body="x"))
    for table in (SecurityEvent, ConfigAuditLog, Seal, RetentionAnchor):
        assert refused(table._default_manager.all().delete), table
    assert AuditEntry.objects.filter(position__lte=2).delete()[0] == 2


def test_the_console_offers_no_way_either(client: Client, organisation: Organisation) -> None:
    root = factories.make_user("root", organisation, is_superuser=True, is_staff=True)
    client.force_login(root)
    for table in (AuditEntry, SecurityEvent):
        row = table._default_manager.order_by("pk")[0]
        name = f"admin:audit_{table._meta.model_name}"
        assert client.post(reverse(f"{name}_add"), {}).status_code == 403
        assert client.post(reverse(f"{name}_change", args=[row.pk]), {}).status_code == 403
        assert client.post(reverse(f"{name}_delete", args=[row.pk]), {}).status_code == 403
