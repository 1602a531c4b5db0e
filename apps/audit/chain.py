"""Appends rows to hash chains, one chain per table and thread: writers never wait for each other.

A head says where a chain ends. Rows and head are written in one transaction, so positions are dense
and a crash leaves no half link. A head that is not where this thread left it (a fork, an emptied or
restored database) is left alone: the thread begins another chain.
A table that names a shared chain has that one alone: its head is locked until the commit, and a
head that does not fit its rows refuses them (IntegrityError), because no other chain may begin.
"""

import os
import threading
from collections.abc import Sequence
from typing import Any

from django.db import connection, transaction

from apps.audit.models import ChainedRow, ChainHead, Place
from apps.audit.models.chained import link, start
from apps.lib.ids import new_id
from apps.lib.writer.statements import insert


class Chain:
    """One thread's chain of one table."""

    def __init__(self, model: type[ChainedRow]) -> None:
        self._model = model
        self._id = ""
        self._head: Place | None = None

    def link(self, rows: Sequence[ChainedRow]) -> None:
        """Place the rows behind each other and move the head, in the caller's transaction.

        The caller inserts them in the same transaction.
        """
        known = self._known()
        if known and self._extended(known, rows):
            return
        if not self._extended(self._begin(), rows):
            raise RuntimeError(f"chain {self._id} could not be begun")

    def _known(self) -> Place | None:
        """The head as this thread left it; after a rollback the database knows better."""
        head, self._head = self._head, None
        if head is None and self._id:
            row = ChainHead.objects.filter(pk=self._id).first()
            return Place(row.position, row.digest) if row else None
        return head

    def _begin(self) -> Place:
        self._id = new_id()
        head = start(self._id)
        ChainHead.objects.create(chain=self._id, table=table_of(self._model), **head._asdict())
        return head

    def _extended(self, place: Place, rows: Sequence[ChainedRow]) -> bool:
        chain, last = self._id, placed(rows, self._id, place)
        with connection.cursor() as cursor:
            cursor.execute(_EXTEND, [*last, chain, *place])
            if cursor.rowcount != 1:
                return False
        transaction.on_commit(lambda: self._know(chain, last))
        return True

    def _know(self, chain: str, head: Place) -> None:
        """Committed; what an earlier callback of the same commit appended stands further on."""
        if chain == self._id and (self._head is None or self._head.position < head.position):
            self._head = head


_EXTEND = f"""
    UPDATE {ChainHead._meta.db_table} SET position = %s, digest = %s
    WHERE chain = %s AND position = %s AND digest = %s
"""  # noqa: S608, our own table


class _Chains(threading.local):
    """The chains of this thread, by table; a forked process begins chains of its own."""

    def __init__(self) -> None:
        self._process = os.getpid()
        self._by_model: dict[type[ChainedRow], Chain] = {}

    def of(self, model: type[ChainedRow]) -> Chain:
        if self._process != os.getpid():
            self._process, self._by_model = os.getpid(), {}
        return self._by_model.setdefault(model, Chain(model))


_chains = _Chains()


def append(rows: Sequence[Any]) -> None:
    """Link and insert rows of one table, in the caller's transaction."""
    if not rows:
        return
    with transaction.atomic(savepoint=False):
        _linked(rows)
        type(rows[0])._default_manager.bulk_create(rows)


def append_hot(rows: Sequence[Any]) -> None:
    """The same without the ORM's price, inside a transaction; the rows get no primary key."""
    _linked(rows)
    insert(rows)


def _linked(rows: Sequence[ChainedRow]) -> None:
    model = type(rows[0])
    if model.shared_chain:
        _link_shared(model, rows)
    else:
        _chains.of(model).link(rows)


def _link_shared(model: type[ChainedRow], rows: Sequence[ChainedRow]) -> None:
    chain = model.shared_chain
    last = placed(rows, chain, locked_head(chain, table_of(model)))
    move_head(chain, last)


def locked_head(chain: str, table: str) -> Place:
    """Where a chain that all share ends; nobody else moves it before the commit."""
    first = ChainHead(chain=chain, table=table, **start(chain)._asdict())
    ChainHead.objects.bulk_create([first], ignore_conflicts=True)
    head = ChainHead.objects.select_for_update().get(pk=chain)
    return Place(head.position, head.digest)


def move_head(chain: str, place: Place) -> None:
    """Only for who holds the head locked."""
    ChainHead.objects.filter(pk=chain).update(**place._asdict())


def placed(rows: Sequence[ChainedRow], chain: str, place: Place) -> Place:
    """The rows linked behind `place`; where they end."""
    for row in rows:
        row.chain, row.position, row.previous = chain, place.position + 1, place.digest
        row.digest = link(row.previous, row.chained_text())
        place = Place(row.position, row.digest)
    return place


def table_of(model: type[ChainedRow]) -> str:
    """How heads, seals and anchors name a table."""
    return str(model._meta.model_name)
