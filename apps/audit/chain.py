"""Appends rows to hash chains, one chain per table and thread: writers never wait for each other.

A head says where a chain ends. Rows and head are written in one transaction, so positions are dense
and a crash leaves no half link. A head that is not where this thread left it (a fork, an emptied or
restored database) is left alone: the thread begins another chain.
A table that names a shared chain has that one alone: its head is locked until the commit, and a
head that does not fit its rows refuses them (IntegrityError), because no other chain may begin.
"""

import os
import threading
from collections.abc import Callable, Sequence
from typing import Any

from django.db import transaction

from apps.audit.models import ChainedRow, ChainHead, Place
from apps.audit.models.chained import link, start
from apps.lib.ids import new_id
from apps.lib.writer.statements import Statement, insert_after, run

Insert = Callable[[Statement, Sequence[Any]], bool]
"""Moves a head by this statement and inserts the rows behind it; neither where it hits nothing."""


class Chain:
    """One thread's chain of one table."""

    def __init__(self, model: type[ChainedRow]) -> None:
        self._model = model
        self._id = ""
        self._head: Place | None = None

    def append(self, rows: Sequence[ChainedRow], insert: Insert) -> None:
        """Place the rows behind each other, in the caller's transaction.

        `insert` moves the head and inserts them; it does neither where the head stands elsewhere.
        """
        known = self._known()
        if known and self._extended(known, rows, insert):
            return
        if not self._extended(self._begin(), rows, insert):
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

    def _extended(self, place: Place, rows: Sequence[ChainedRow], insert: Insert) -> bool:
        chain = self._id
        if not insert(moving(rows, chain, place), rows):
            return False
        last = Place(rows[-1].position, rows[-1].digest)
        transaction.on_commit(lambda: self._know(chain, last))
        return True

    def _know(self, chain: str, head: Place) -> None:
        """Committed; what an earlier callback of the same commit appended stands further on."""
        if chain == self._id and (self._head is None or self._head.position < head.position):
            self._head = head


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
        _append(rows, _insert_by_orm)


def append_hot(rows: Sequence[Any]) -> None:
    """The same without the ORM's price, inside a transaction; the rows get no primary key."""
    _append(rows, insert_after)


def _insert_by_orm(move: Statement, rows: Sequence[ChainedRow]) -> bool:
    if hit := bool(run(*move)):
        type(rows[0])._default_manager.bulk_create(rows)
    return hit


def _append(rows: Sequence[ChainedRow], insert: Insert) -> None:
    model = type(rows[0])
    if not model.shared_chain:
        _chains.of(model).append(rows, insert)
    else:
        place = locked_head(model.shared_chain, table_of(model))
        insert(moving(rows, model.shared_chain, place), rows)


def locked_head(chain: str, table: str) -> Place:
    """Where a chain that all share ends; nobody else moves it before the commit."""
    first = ChainHead(chain=chain, table=table, **start(chain)._asdict())
    ChainHead.objects.bulk_create([first], ignore_conflicts=True)
    head = ChainHead.objects.select_for_update().get(pk=chain)
    return Place(head.position, head.digest)


def move_head(chain: str, place: Place) -> None:
    """Only for who holds the head locked."""
    ChainHead.objects.filter(pk=chain).update(**place._asdict())


def moving(rows: Sequence[ChainedRow], chain: str, place: Place) -> Statement:
    """Link the rows behind `place`; moves the head there, if it stands at `place`."""
    return Statement(_MOVE, [*placed(rows, chain, place), chain, *place])


_MOVE = f"""
    UPDATE {ChainHead._meta.db_table} SET position = %s, digest = %s
    WHERE chain = %s AND position = %s AND digest = %s RETURNING 1
"""  # noqa: S608, our own table


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
