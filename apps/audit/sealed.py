"""Holds the chains to what the seals said; the seals among themselves first."""

import json
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_

from django.db.models import Q

from apps.audit.anchors import anchor_of
from apps.audit.breaks import Break, Fault
from apps.audit.models import ChainedRow, ChainHead, Place, Seal
from apps.audit.models.chained import link, start
from apps.audit.seals import SEALS, TABLES, Heads, text_of_seal

PAGE = 200
PURGED = "purged"


def broken_seals() -> Iterator[Break]:
    """The first seal that was altered or removed; then, of each chain, the first broken seal."""
    walk = _SealWalk()
    for row in Seal.objects.order_by("pk").iterator(chunk_size=PAGE):
        walk.take(row)
    if bad := walk.bad or walk.behind():
        yield bad
    yield from walk.suspects.values()


class _SealWalk:
    """Seal after seal; of what they say only each chain's last place is remembered."""

    def __init__(self) -> None:
        self.bad: Break | None = None
        self.suspects: dict[str, Break] = {}
        self._known: Heads = {}
        self._end = start(SEALS)
        self._head = _head()

    def take(self, row: Seal) -> None:
        sound = row.digest == link(self._end.digest, text_of_seal(row))
        self._end = Place(self._end.position + 1, row.digest)
        if self._head and self._end.position == self._head.position:
            sound = sound and self._end == self._head
        if not sound:
            self.bad = self.bad or _of_seals(self._end.position, "altered")
            return
        heads: Heads = {name: (t, p, d) for name, (t, p, d) in json.loads(row.heads).items()}
        fresh = {name: head for name, head in heads.items() if self._known.get(name) != head}
        self._known.update(fresh)
        for bad in _differing(fresh):
            self.suspects.setdefault(bad.chain, bad)

    def behind(self) -> Break | None:
        """Seals that are missing before the head, or stand behind it."""
        if self._head and self._head.position > self._end.position:
            return _of_seals(self._end.position + 1, "missing")
        now = _head() or Place(0, "")
        if now.position < self._end.position:
            return _of_seals(now.position + 1, "surplus")
        return None


def _head() -> Place | None:
    row = ChainHead.objects.filter(pk=SEALS).values_list("position", "digest").first()
    return Place(*row) if row else None


def _of_seals(position: int, fault: Fault) -> Break:
    return Break(table=SEALS, chain=SEALS, position=position, fault=fault)


def _differing(heads: Heads) -> Iterator[Break]:
    """The sealed places where another row stands, or none, and none was purged."""
    places = sorted(heads.items())
    for begin in range(0, len(places), PAGE):
        some = dict(places[begin : begin + PAGE])
        for table, model in TABLES.items():
            own = {name: head for name, head in some.items() if head[0] == table}
            yield from _broken(table, own, _rows(model, own)) if own else ()


def _broken(table: str, own: Heads, rows: Mapping[str, tuple[str, str]]) -> Iterator[Break]:
    for chain, (_table, position, sealed) in own.items():
        found, audit_id = rows.get(chain) or _purged(chain, position) or ("", "")
        if found in (sealed, PURGED):
            continue
        fault: Fault = "altered" if found else "missing"
        yield Break(table=table, chain=chain, position=position, fault=fault, audit_id=audit_id)


def _rows(model: type[ChainedRow], own: Heads) -> dict[str, tuple[str, str]]:
    """By chain: digest and audit id of the row at the sealed place."""
    places = (Q(chain=chain, position=position) for chain, (_, position, _d) in own.items())
    identity = "audit_id" if "audit_id" in model.chained_names() else "chain"
    rows = model._default_manager.filter(reduce(or_, places))
    return {
        chain: (digest, "" if identity == "chain" else name)
        for chain, digest, name in rows.values_list("chain", "digest", identity)
    }


def _purged(chain: str, position: int) -> tuple[str, str] | None:
    """The anchor's digest stands in for the row that it replaces."""
    anchor = anchor_of(chain)
    if anchor is None or anchor.position < position:
        return None
    return (anchor.digest if anchor.position == position else PURGED), ""
