"""Verifies all chains: dense, linked, and where their heads, seals and anchors say.

Rows are read a page at a time, so memory does not grow with them. Seals and heads are read before
the rows, and read again before anything behind them is called a fault: what is appended or purged
meanwhile is none.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from apps.audit.anchors import anchor_of, untold_anchors
from apps.audit.breaks import Break, Fault
from apps.audit.models import ChainedRow, ChainHead, Place
from apps.audit.models.chained import link, start, text_of
from apps.audit.sealed import broken_seals
from apps.audit.seals import TABLES

PAGE = 2_000
Progress = Callable[[int], object]


def verify(progress: Progress = lambda count: None) -> Iterator[Break]:
    """The first bad row of each chain; `progress` gets the number of rows of every page."""
    suspects: dict[str, Break] = {}
    for found in broken_seals():
        if found.table not in TABLES:
            yield found
        else:
            suspects.setdefault(found.chain, found)
    for table, model in TABLES.items():
        heads = _heads(table)
        stored = model._default_manager.order_by().values_list("chain", flat=True).distinct()
        sealed = {name for name, bad in suspects.items() if bad.table == table}
        for chain in sorted({*heads, *stored, *sealed}):
            walk = Walk(model, table, chain, heads.get(chain))
            walked = walk.run(progress)
            if bad := _first(walked, walk.end, suspects.get(chain)):
                yield bad
    yield from untold_anchors()


def _first(walked: Break | None, end: Place, sealed: Break | None) -> Break | None:
    """What the walk found, or what only a seal shows, whichever stands first."""
    if sealed and sealed.fault == "missing" and sealed.position > end.position + 1:
        sealed = Break(
            table=sealed.table, chain=sealed.chain, position=end.position + 1, fault="missing"
        )
    if walked and sealed:
        return min(walked, sealed, key=lambda bad: bad.position)
    return walked or sealed


def _heads(table: str) -> dict[str, Place]:
    rows = ChainHead.objects.filter(table=table).values_list("chain", "position", "digest")
    return {chain: Place(position, digest) for chain, position, digest in rows}


class Walk:
    """One chain from behind its anchor to its end; `end` is how far it is whole."""

    def __init__(self, model: type[ChainedRow], table: str, chain: str, head: Place | None) -> None:
        self._model, self._table, self._chain = model, table, chain
        self._head = head or _head_now(chain)
        self._names = model.chained_names()
        self._id = self._names.index("audit_id") if "audit_id" in self._names else -1
        self.end = start(chain)

    def run(self, progress: Progress) -> Break | None:
        """The first bad row; begun anew where rows were purged meanwhile."""
        while True:
            anchor = anchor_of(self._chain)
            self.end = anchor or start(self._chain)
            bad = self._rows(progress) or self._behind()
            later = anchor_of(self._chain)
            if not bad or later is None or later.position < bad.position or later == anchor:
                return bad

    def _rows(self, progress: Progress) -> Break | None:
        if bad := self._marked(()):
            return bad
        while not self._at_head() and (page := self._page()):
            for row in page:
                if bad := self._bad(row):
                    return bad
            progress(len(page))
        return None

    def _at_head(self) -> bool:
        """Whatever stands further on came later: writers may be faster than this."""
        return self._head is not None and self._head.position <= self.end.position

    def _page(self) -> list[tuple[Any, ...]]:
        rows = self._model._default_manager.filter(
            chain=self._chain, position__gt=self.end.position
        )
        columns = ("position", "previous", "digest", *self._names)
        return list(rows.order_by("position").values_list(*columns)[:PAGE])

    def _bad(self, row: tuple[Any, ...]) -> Break | None:
        """Each row is checked by itself before its place: a sound one was moved, not altered."""
        position, previous, digest, *values = row
        if position != self.end.position + 1:
            return self._break(self.end.position + 1, "missing")
        if digest != link(previous, text_of(values)):
            return self._break(position, "altered", values)
        if previous != self.end.digest:
            return self._break(position, "reordered", values)
        self.end = Place(position, digest)
        return self._marked(values)

    def _marked(self, values: Sequence[Any]) -> Break | None:
        if self._head and self._head.position == self.end.position and self._head != self.end:
            return self._break(self.end.position, "altered", values)
        return None

    def _behind(self) -> Break | None:
        """Rows that are missing before the head, or stand behind it."""
        if self._head and not self._at_head():
            return self._break(self.end.position + 1, "missing")
        rows = self._model._default_manager.filter(chain=self._chain).order_by("-position")
        last = rows.values_list("position", flat=True).first() or 0
        head = _head_now(self._chain)
        behind = head.position if head else 0
        if last <= behind:
            return None
        columns = rows.order_by("position").values_list("position", *self._names)
        position, *values = columns.filter(position__gt=behind)[0]
        return self._break(position, "surplus", values)

    def _break(self, position: int, fault: Fault, values: Sequence[Any] = ()) -> Break:
        audit_id = str(values[self._id]) if values and self._id >= 0 else ""
        return Break(
            table=self._table,
            chain=self._chain,
            position=position,
            fault=fault,
            audit_id=audit_id,
        )


def _head_now(chain: str) -> Place | None:
    row = ChainHead.objects.filter(pk=chain).values_list("position", "digest").first()
    return Place(*row) if row else None
