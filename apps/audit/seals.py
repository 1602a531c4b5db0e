"""Seals: where the chains ended at one time, hourly, each seal linked to the one before it.

Only a seal shows that a chain was cut at its end, or rewritten as a whole, together with its head;
so each seal's digest is logged too, out of reach of whoever administers the database.
A seal names the heads that moved since an hour before the last one: what stands still was sealed
where it stands, and so a seal stays small however many chains have ended.
"""

import logging
from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from apps.audit import chain
from apps.audit.models import (
    AuditEntry,
    ChainedRow,
    ChainHead,
    ConfigAuditLog,
    Place,
    Seal,
    SecurityEvent,
)
from apps.audit.models.chained import link, text_of
from apps.lib import clock
from apps.lib.canonical import canonical_json

logger = logging.getLogger(__name__)

TABLES: Mapping[str, type[ChainedRow]] = {
    chain.table_of(model): model for model in (AuditEntry, SecurityEvent, ConfigAuditLog)
}
SEALS = "seal"
OVERLAP = timedelta(hours=1)  # for clocks that differ, and transactions that take long

Heads = dict[str, tuple[str, int, str]]


def seal() -> Seal:
    """Seal what moved; two at once seal one after the other."""
    with transaction.atomic():
        last = chain.locked_head(SEALS, SEALS)
        before = Seal.objects.order_by("-pk").first()
        heads = _moved(before.at - OVERLAP if before else None)
        row = Seal(at=clock.now(), heads=canonical_json(heads))
        row.digest = link(last.digest, text_of_seal(row))
        row.save(force_insert=True)
        chain.move_head(SEALS, Place(last.position + 1, row.digest))
    logger.info("sealed %d audit chains: %s", len(heads), row.digest)
    return row


def text_of_seal(row: Seal) -> str:
    """What its digest covers, beside the seal before it."""
    return text_of([row.at, row.heads])


def _moved(since: datetime | None) -> Heads:
    return {
        head.chain: (head.table, head.position, head.digest)
        for table, model in TABLES.items()
        for head in _heads(table, model, since)
    }


def _heads(table: str, model: type[ChainedRow], since: datetime | None) -> QuerySet[ChainHead]:
    heads = ChainHead.objects.filter(table=table)
    if since is None:
        return heads
    ends: Any = model._default_manager.filter(
        chain=OuterRef("chain"), position=OuterRef("position")
    )
    return heads.filter(Exists(ends.filter(at__gte=since)))
