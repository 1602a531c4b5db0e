"""The tests of a pair run in the order written: what one leaves behind, the next must not see."""

import pytest
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import connection

from apps.accounts.models import Organisation
from apps.agents.models import PublishRecord
from apps.audit.models import AuditEntry
from apps.lib.immutable import missing_triggers
from tests.lib.support import AT, audit, write
from tests.plugins.flush import ASIDE, restore, tables

pytestmark = pytest.mark.django_db(transaction=True)


def record(*, version: int) -> PublishRecord:
    return PublishRecord.objects.create(
        agent_code="a",
        organisation_id=1,
        version=version,
        body="{}",
        digest="0" * 64,
        published_at=AT,
        published_by="p",
    )


def test_database_gets_dirty() -> None:
    write(audit())
    record(version=1)
    Organisation.objects.create(code="left-behind", name="x")


def test_database_is_as_migrated() -> None:
    assert AuditEntry.objects.count() == 0
    assert PublishRecord.objects.count() == 0
    assert Organisation.objects.count() == 0


def test_migrated_rows_get_lost() -> None:
    Permission.objects.all().delete()
    ContentType.objects.all().delete()


def test_migrated_rows_are_back() -> None:
    assert Permission.objects.filter(codename="add_organisation").exists()
    assert ContentType.objects.filter(model="organisation").exists()


def test_triggers_outlive_the_flush() -> None:
    restore()
    assert missing_triggers(connection) == []


def test_every_table_of_ours_is_flushed() -> None:
    assert {"conversations_run", "audit_auditentry", "accounts_user"} <= set(tables())
    assert not any(table.startswith(ASIDE) for table in tables())


def test_constraints_are_on_again() -> None:
    restore()
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA foreign_keys")
            assert cursor.fetchone() == (1,)
