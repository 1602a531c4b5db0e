"""Statements without the price of the ORM, for the writer's hot rows: they do what it would do.

On PostgreSQL the rows of a statement are one JSON text: its own text is always the same, so it is
prepared once a connection, and neither parsed nor planned again; and many statements are one way to
the server and back. SQLite gets a list of values, one statement after the other.
Columns are taken as they are: for texts, numbers, booleans and times alone.
"""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import Model

Rows = list[tuple[Any, ...]]
_LENGTH = re.compile(r"varchar\(\d+\)")


class Statement(NamedTuple):
    """`sql` holds no values, so that it can be prepared."""

    sql: str
    values: Sequence[Any]


class _Columns(NamedTuple):
    sql: str
    types: tuple[str, ...]
    values: Callable[[Model], tuple[Any, ...]]


def insertion(rows: Sequence[Model], *, tail: str = "") -> Statement:
    """One statement for rows of one model; it returns what `tail` does, and sets no primary key."""
    columns = _columns(type(rows[0]))
    source, values = listed(columns.types, [columns.values(row) for row in rows])
    return Statement(f"{columns.sql} {source} {tail}", values)


def insert(rows: Sequence[Model], *, tail: str = "") -> Rows:
    """What `tail` returns of rows of one model."""
    return run(*insertion(rows, tail=tail))


def insert_after(condition: Statement, rows: Sequence[Model]) -> bool:
    """Insert the rows if the condition, an update that says RETURNING, hits any row."""
    if connection.vendor != "postgresql":
        if hit := bool(run(*condition)):
            insert(rows)
        return hit
    then = insertion(rows, tail="WHERE EXISTS (SELECT FROM hit) RETURNING 1")
    sql = f"WITH hit AS ({condition.sql}) {then.sql}"
    return bool(run(sql, [*condition.values, *then.values]))


def listed(types: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
    """A source of these rows, its columns named `column1` …, and the values that belong to it."""
    if connection.vendor != "postgresql":
        places = f"({', '.join(['%s'] * len(types))})"
        values = [_plain(value) for row in rows for value in row]
        return f"VALUES {', '.join([places] * len(rows))}", values
    source, names = _recordset(tuple(types))
    return source, [_to_json([dict(zip(names, row, strict=True)) for row in rows])]


def array(values: Sequence[int | str]) -> str:
    """The values as PostgreSQL writes an array."""
    return f"{{{','.join(map(_element, values))}}}"


def run(sql: str, values: Sequence[Any]) -> Rows:
    """What the statement returns."""
    return run_all([Statement(sql, values)])[0]


def run_all(statements: Sequence[Statement]) -> list[Rows]:
    """What each returns, in their order; none may need what another returns."""
    database = connections[DEFAULT_DB_ALIAS]  # asked for once: `connection` looks it up each time
    if database.vendor != "postgresql":
        return [_run_plain(statement) for statement in statements]
    database.ensure_connection()
    database.validate_no_broken_transaction()
    if database.queries_logged:
        database.queries_log.extend({"sql": each.sql, "time": "0"} for each in statements)
    with database.wrap_database_errors:
        if len(statements) == 1:
            cursors = [_sent(database.connection, statements[0])]
        else:
            with database.connection.pipeline():
                cursors = [_sent(database.connection, statement) for statement in statements]
        return [[] if each.rownumber is None else each.fetchall() for each in cursors]


def _run_plain(statement: Statement) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(*statement)
        return cursor.fetchall() if cursor.description else []


def _sent(session: Any, statement: Statement) -> Any:
    return _cursor()(session).execute(*statement, prepare=True)


@cache
def _cursor() -> Any:
    """Binds at the server, beside Django's, which writes the values into the text."""
    from psycopg import Cursor  # noqa: PLC0415, an extra: absent where only SQLite is used

    return Cursor


@cache
def _recordset(types: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    names = tuple(f"column{place}" for place in range(1, len(types) + 1))
    columns = ", ".join(f"{name} {kind}" for name, kind in zip(names, types, strict=True))
    return f"SELECT * FROM json_to_recordset(%s::json) AS listed({columns})", names  # noqa: S608


_to_json = json.JSONEncoder(ensure_ascii=False, check_circular=False, default=str).encode
"""A time is a text that PostgreSQL reads, to the microsecond and with its zone."""


def _element(value: int | str) -> str:
    if isinstance(value, int):
        return str(value)
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _plain(value: Any) -> Any:
    """A choice is its text."""
    if isinstance(value, str):
        return value if type(value) is str else str(value)
    return connection.ops.adapt_datetimefield_value(value) if hasattr(value, "tzinfo") else value


@cache
def _columns(model: type[Model]) -> _Columns:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    names = [str(field.attname) for field in fields]
    quoted = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    return _Columns(
        sql=f"INSERT INTO {model._meta.db_table} ({quoted})",
        types=tuple(_LENGTH.sub("text", str(field.db_type(connection))) for field in fields),
        values=attrgetter(*names),
    )
