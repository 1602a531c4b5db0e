"""Inserts without the price of the ORM, for the writer's hot rows: the same rows as `bulk_create`.

Columns are read as they are: for models of texts, numbers, booleans and times alone.
"""

from collections.abc import Callable, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, NamedTuple

from django.db import connection
from django.db.models import DateTimeField, Model


class _Columns(NamedTuple):
    sql: str
    values: Callable[[Model], tuple[Any, ...]]
    times: tuple[int, ...]
    places: str


def insert(rows: Sequence[Model], *, tail: str = "") -> list[tuple[Any, ...]]:
    """One statement for rows of one model; what `tail` returns. The rows get no primary key."""
    columns = _columns(type(rows[0]))
    sql = f"{columns.sql} {', '.join([columns.places] * len(rows))} {tail}"
    values = [value for row in rows for value in _values(columns, row)]
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        return cursor.fetchall() if tail else []


def _values(columns: _Columns, row: Model) -> list[Any]:
    values = list(columns.values(row))
    for place in columns.times:
        values[place] = connection.ops.adapt_datetimefield_value(values[place])
    return values


@cache
def _columns(model: type[Model]) -> _Columns:
    fields = [field for field in model._meta.concrete_fields if not field.primary_key]
    names = [str(field.attname) for field in fields]
    quoted = ", ".join(connection.ops.quote_name(str(field.column)) for field in fields)
    times = [place for place, field in enumerate(fields) if isinstance(field, DateTimeField)]
    return _Columns(
        sql=f"INSERT INTO {model._meta.db_table} ({quoted}) VALUES",
        values=attrgetter(*names),
        times=tuple(times),
        places=f"({', '.join(['%s'] * len(fields))})",
    )
