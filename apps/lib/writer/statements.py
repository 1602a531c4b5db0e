"""Statements without the price of the ORM, for the writer's hot rows: they do what it would do.

On PostgreSQL the rows of a statement are arrays, a column each: its text is always the same, so it
is prepared once a connection, and neither parsed nor planned again; and many statements are one way
to the server and back. SQLite gets a list of values, one statement after the other.
Columns are taken as they are: for texts, numbers, booleans and times alone.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import DataError, connection
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
    return _unnested(tuple(types)), [array(column) for column in zip(*rows, strict=True)]


def array(values: Sequence[Any]) -> str:
    """The values as PostgreSQL writes an array, at a tenth of what the driver takes for it."""
    try:
        text = "\0".join(values)
    except TypeError:
        return f"{{{','.join(map(_element, values))}}}"
    if text.count("\0") >= max(len(values), 1):
        raise DataError("a text holds NUL")
    inner = _escaped(text).replace("\0", '","')
    return f'{{"{inner}"}}' if values else "{}"


def run(sql: str, values: Sequence[Any]) -> Rows:
    """What the statement returns."""
    return run_all([Statement(sql, values)])[0]


def run_all(statements: Sequence[Statement]) -> list[Rows]:
    """What each returns, in their order; none may need what another returns."""
    if connection.vendor != "postgresql":
        return [_run_plain(statement) for statement in statements]
    connection.ensure_connection()
    connection.validate_no_broken_transaction()
    if connection.queries_logged:
        connection.queries_log.extend({"sql": each.sql, "time": "0"} for each in statements)
    with connection.wrap_database_errors:
        if len(statements) == 1:
            cursors = [_sent(statements[0])]
        else:
            with connection.connection.pipeline():
                cursors = [_sent(statement) for statement in statements]
        return [list(each.fetchall()) if each.description else [] for each in cursors]


def _run_plain(statement: Statement) -> Rows:
    with connection.cursor() as cursor:
        cursor.execute(*statement)
        return cursor.fetchall() if cursor.description else []


def _sent(statement: Statement) -> Any:
    return _cursor()(connection.connection).execute(*statement, prepare=True)


@cache
def _cursor() -> Any:
    """Binds at the server, beside Django's, which writes the values into the text."""
    from psycopg import Cursor  # noqa: PLC0415, an extra: absent where only SQLite is used

    return Cursor


@cache
def _unnested(types: tuple[str, ...]) -> str:
    arrays = ", ".join(f"%s::{kind}[]" for kind in types)
    names = ", ".join(f"column{place}" for place in range(1, len(types) + 1))
    return f"SELECT * FROM unnest({arrays}) AS listed({names})"  # noqa: S608, types of ours


def _element(value: Any) -> str:
    if isinstance(value, str):
        return f'"{_escaped(value)}"'
    if value is None:
        return "NULL"
    return f'"{value.isoformat()}"' if hasattr(value, "tzinfo") else str(value)


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')


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
