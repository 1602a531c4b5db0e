"""Rows that nobody may change, whichever door is used; and the list of missing triggers."""

from collections.abc import Iterator

import pytest
from django.apps import apps
from django.db import IntegrityError, connection, models, transaction
from django.db.migrations.state import ProjectState

from apps.agents.models import PublishRecord
from apps.lib.immutable import ProtectRows, missing_triggers
from tests.lib.support import AT

on_sqlite = pytest.mark.skipif(connection.vendor != "sqlite", reason="a trap of SQLite's")
on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="TRUNCATE")
pytestmark = pytest.mark.django_db(transaction=True)
SEEDED = "agents_publishrecord"


@pytest.fixture(autouse=True)
def _record(transactional_db: None) -> None:
    record("seed")


def record(code: str) -> PublishRecord:
    return PublishRecord.objects.create(
        agent_code=code,
        organisation_id=1,
        version=1,
        body="{}",
        digest="0" * 64,
        published_at=AT,
        published_by="p",
    )


def refused(sql: str) -> bool:
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(sql)
    except IntegrityError as error:
        return "immutable" in str(error)
    return False


@pytest.fixture
def _triggers_back() -> Iterator[None]:
    yield
    protect()


def protect(forwards: bool = True) -> None:
    operation, state = ProtectRows("PublishRecord"), ProjectState.from_apps(apps)
    run = operation.database_forwards if forwards else operation.database_backwards
    with connection.schema_editor() as editor:
        run("agents", editor, state, state)


def test_migrated_database_misses_no_trigger() -> None:
    assert missing_triggers(connection) == []


def test_orm_update_is_refused() -> None:
    with pytest.raises(IntegrityError, match="immutable"):
        PublishRecord.objects.update(body="x")


def test_orm_delete_is_refused() -> None:
    with pytest.raises(IntegrityError, match="immutable"):
        PublishRecord.objects.all().delete()


def test_upsert_of_a_row_is_refused() -> None:
    row = PublishRecord.objects.get()
    row.body = "x"
    with pytest.raises(IntegrityError, match="immutable"):
        PublishRecord.objects.bulk_create(
            [row], update_conflicts=True, unique_fields=["id"], update_fields=["body"]
        )


@on_sqlite
def test_replace_is_refused_too() -> None:
    pk = PublishRecord.objects.get().pk
    assert refused(f"INSERT OR REPLACE INTO {SEEDED} SELECT * FROM {SEEDED} WHERE id = {pk}")  # noqa: S608


@on_postgresql
def test_truncate_is_refused_also_in_cascade() -> None:
    assert refused("TRUNCATE audit_auditentry")
    assert refused(f"TRUNCATE {SEEDED} CASCADE")


def test_insert_stays_possible() -> None:
    record("new")
    assert PublishRecord.objects.count() == 2


@on_sqlite
@pytest.mark.usefixtures("_triggers_back")
def test_altered_table_is_reported_until_protected_again() -> None:
    wider = models.CharField(max_length=80)
    wider.set_attributes_from_name("published_by")
    with connection.schema_editor() as editor:
        editor.alter_field(PublishRecord, PublishRecord._meta.get_field("published_by"), wider)
    assert missing_triggers(connection) == [f"{SEEDED}_no_delete", f"{SEEDED}_no_update"]
    protect()
    assert missing_triggers(connection) == []


@on_postgresql
@pytest.mark.usefixtures("_triggers_back")
def test_disabled_trigger_counts_as_missing() -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"ALTER TABLE {SEEDED} DISABLE TRIGGER {SEEDED}_no_truncate")
    assert missing_triggers(connection) == [f"{SEEDED}_no_truncate"]


@pytest.mark.usefixtures("_triggers_back")
def test_operation_can_be_undone_and_repeated() -> None:
    protect(forwards=False)
    assert f"{SEEDED}_no_update" in missing_triggers(connection)
    protect()
    protect()
    assert missing_triggers(connection) == []
