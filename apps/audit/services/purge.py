"""Removes what is older than the retention, behind an anchor that says what stood there.

A segment goes in one transaction with its anchor and its row in the config log. The head of that
log is locked first: no hold is placed while a segment goes.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction

from apps.audit import anchors
from apps.audit.models import ChainedRow, ChainHead, RetentionAnchor
from apps.audit.retention import latest_cutoff, purgeable
from apps.audit.seals import TABLES
from apps.audit.services import config_log, holds
from apps.lib import clock

SEGMENT = 5_000


class TooYoungError(ValueError):
    """Rows that must stay were to be purged; `latest` is the first time from which all stay."""

    def __init__(self, latest: datetime) -> None:
        super().__init__(latest.isoformat())
        self.latest = latest


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """Rows of one chain that went, or would go."""

    table: str
    chain: str
    first: int
    last: int

    @property
    def rows(self) -> int:
        return self.last - self.first + 1


def purge(*, before: datetime | None = None, dry_run: bool = False) -> Iterator[Segment]:
    """Each segment when it is gone. Raises TooYoungError for a time inside the retention."""
    latest = latest_cutoff()
    if before is not None and before > latest:
        raise TooYoungError(latest)
    cutoff = before or latest
    for table, model in TABLES.items():
        chains = ChainHead.objects.filter(table=table).order_by("chain")
        for chain in list(chains.values_list("chain", flat=True)):
            if dry_run:
                yield from _segments(table, model, chain, cutoff)
            else:
                yield from _removed(table, model, chain, cutoff)


def _segments(
    table: str, model: type[ChainedRow], chain: str, cutoff: datetime
) -> Iterator[Segment]:
    first, last = purgeable(model, chain, cutoff)
    if first <= last:
        yield Segment(table=table, chain=chain, first=first, last=last)


def _removed(
    table: str, model: type[ChainedRow], chain: str, cutoff: datetime
) -> Iterator[Segment]:
    while next(_segments(table, model, chain, cutoff), None):
        with transaction.atomic():
            holds.lock()
            found = next(_segments(table, model, chain, cutoff), None)
            if found is None:
                return
            segment = Segment(
                table=table,
                chain=chain,
                first=found.first,
                last=min(found.last, found.first + SEGMENT - 1),
            )
            _remove(model, segment)
        yield segment


def _remove(model: type[ChainedRow], segment: Segment) -> None:
    rows: Any = model._default_manager.filter(chain=segment.chain)
    last = rows.get(position=segment.last)
    RetentionAnchor.objects.create(
        chain=segment.chain,
        table=segment.table,
        position=segment.last,
        digest=last.digest,
        at=clock.now(),
        username=config_log.COMMAND.username,
    )
    rows.filter(position__range=(segment.first, segment.last)).delete()
    config_log.record(
        actor=config_log.COMMAND,
        action=anchors.PURGE,
        object_kind=anchors.CHAIN,
        object_key=anchors.object_key(segment.chain, segment.last),
        after={"table": segment.table, "rows": segment.rows, "digest": last.digest},
    )
