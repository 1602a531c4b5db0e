"""Statements without the price of the ORM, for the writer's hot rows: they do what it would do.

On PostgreSQL the rows of a statement are arrays, a column each: its text is always the same, so it
is prepared once a connection, and neither parsed nor planned again. SQLite gets a list of values.
Columns are taken as they are: for texts, numbers, booleans and times alone.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import Model

Rows = list[tuple[Any, ...]]
_LENGTH = re.compile(r"varchar\(\d+\)")


class _Columns(NamedTuple):
    sql: str
    types: tuple[str, ...]
    values: Callable[[Model], tuple[Any, ...]]


def insert(rows: Sequence[Model], *, tail: str = "") -> Rows:
    """One statement for rows of one model; what `tail` returns. The rows get no primary key."""
    columns = _columns(type(rows[0]))
    source, values = listed(columns.types, [columns.values(row) for row in rows])
    return run(f"{columns.sql} {source} {tail}", values)


def listed(types: Sequence[str], rows: Sequence[Sequence[Any]]) -> tuple[str, list[Any]]:
    """A source of these rows, its columns named `column1` …, and the values that belong to it."""
    if connection.vendor != "postgresql":
        places = f"({', '.join(['%s'] * len(types))})"
        values = [_plain(value) for row in rows for value in row]
        return f"VALUES {', '.join([places] * len(rows))}", values
    arrays = ", ".join(f"%s::{kind}[]" for kind in types)
    names = ", ".join(f"column{place}" for place in range(1, len(types) + 1))
    source = f"SELECT * FROM unnest({arrays}) AS listed({names})"  # noqa: S608, types of ours
    return source, [[_plain(value) for value in column] for column in zip(*rows, strict=True)]


def run(sql: str, values: Sequence[Any]) -> Rows:
    """What the statement returns. `sql` holds no values, so that it can be prepared."""
    if connection.vendor != "postgresql":
        with connection.cursor() as cursor:
            cursor.execute(sql, values)
            return cursor.fetchall() if cursor.description else []
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    if connection.queries_logged:
        connection.queries_log.append({"sql": sql, "time": "0"})
    with connection.wrap_database_errors, _cursor()(connection.connection) as cursor:
        cursor.execute(sql, values, prepare=True)
        return list(cursor.fetchall()) if cursor.description else []


@cache
def _cursor() -> Any:
    """Binds at the server, beside Django's, which writes the values into the text."""
    from psycopg import Cursor  # noqa: PLC0415, an extra: absent where only SQLite is used

    return Cursor


def _plain(value: Any) -> Any:
    """A choice is its text: arrays take no mixture."""
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
