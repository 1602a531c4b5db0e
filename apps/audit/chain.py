"""Appends rows to hash chains, one chain per table and thread: writers never wait for each other.

A head says where a chain ends. Rows and head are written in one transaction, so positions are dense
and a crash leaves no half link. A head that is not where this thread left it (a fork, an emptied
database) is left alone: the thread begins another chain.
"""

import threading
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from apps.audit.models import ChainedRow, ChainHead, Place
from apps.audit.models.chained import link, start
from apps.lib.ids import new_id


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
        table = str(self._model._meta.model_name)
        ChainHead.objects.create(chain=self._id, table=table, **head._asdict())
        return head

    def _extended(self, place: Place, rows: Sequence[ChainedRow]) -> bool:
        last = self._linked(place, rows)
        heads = ChainHead.objects.filter(chain=self._id, **place._asdict())
        if heads.update(**last._asdict()) != 1:
            return False
        transaction.on_commit(lambda: self._know(last))
        return True

    def _linked(self, place: Place, rows: Sequence[ChainedRow]) -> Place:
        for row in rows:
            row.chain, row.position, row.previous = self._id, place.position + 1, place.digest
            row.digest = link(row.previous, row.chained_text())
            place = Place(row.position, row.digest)
        return place

    def _know(self, head: Place) -> None:
        self._head = head


class _Chains(threading.local):
    """The chains of this thread, by table."""

    def __init__(self) -> None:
        self.by_model: dict[type[ChainedRow], Chain] = {}


_chains = _Chains()


def append(rows: Sequence[Any]) -> None:
    """Link and insert rows of one table, in the caller's transaction."""
    if not rows:
        return
    model = type(rows[0])
    chain = _chains.by_model.setdefault(model, Chain(model))
    with transaction.atomic(savepoint=False):
        chain.link(rows)
        model._default_manager.bulk_create(rows)
