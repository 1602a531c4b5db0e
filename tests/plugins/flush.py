"""A pytest plugin: what empties the database after a test that commits.

Django's own flush costs a quarter of a second on PostgreSQL, meets the triggers of immutable
tables, and loses what migrations inserted. Here: rows are deleted with triggers and constraints
off, then what migrations inserted is copied back from tables laid aside at the start.

Joined by `pytest_plugins` in `tests/conftest.py`. On PostgreSQL the test role is a superuser.
Threads with connections of their own must have ended by then, the writer's too.
"""

from collections.abc import Iterator

import pytest
from django.db import connection, transaction
from django.test import TransactionTestCase
from pytest_django.plugin import DjangoDbBlocker

ASIDE = "kept_"
_statements: list[str] = []  # made once: to look the tables up costs more than to empty them


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Overrides pytest-django's: the same, then lay the migrations' rows aside."""
    with django_db_blocker.unblock():
        lay_aside()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TransactionTestCase, "_fixture_teardown", lambda _: restore())
        yield


def tables() -> list[str]:
    names = connection.introspection.django_table_names(only_existing=True, include_views=False)
    return sorted(set(names) - {"django_migrations"})


def lay_aside() -> None:
    """Copy every table that has rows, inside the database: no value passes through Python."""
    ours, kept = tables(), []
    with connection.cursor() as cursor:
        for table in ours:
            cursor.execute(f"DROP TABLE IF EXISTS {ASIDE}{table}")
            cursor.execute(f"SELECT 1 FROM {table} LIMIT 1")  # noqa: S608, our own tables
            if cursor.fetchone():
                cursor.execute(f"CREATE TABLE {ASIDE}{table} AS SELECT * FROM {table}")  # noqa: S608
                kept.append(table)
    _statements[:] = [
        *(f"DELETE FROM {table}" for table in ours),  # noqa: S608
        *(f"INSERT INTO {table} SELECT * FROM {ASIDE}{table}" for table in kept),  # noqa: S608
    ]


def restore() -> None:
    """The database as the migrations left it; sequences go on counting."""
    if connection.vendor == "sqlite":
        _restore_sqlite()
    else:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '10s'")
            cursor.execute("SET LOCAL session_replication_role = replica")
            cursor.execute("; ".join(_statements))


def _restore_sqlite() -> None:
    connection.disable_constraint_checking()  # without effect once a transaction is open
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            for name, _ in triggers:
                cursor.execute(f"DROP TRIGGER {name}")
            for statement in _statements:
                cursor.execute(statement)
            for _, sql in triggers:
                cursor.execute(sql)
    finally:
        connection.enable_constraint_checking()
