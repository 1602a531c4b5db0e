"""Anchors: up to where a chain's rows were purged, and whether the config log knows of it."""

from collections.abc import Iterator

from apps.audit.breaks import Break
from apps.audit.models import ConfigAuditLog, Place, RetentionAnchor

PURGE, CHAIN = "purge", "audit_chain"


def anchor_of(chain: str) -> Place | None:
    """The newest of the chain: its rows begin behind it."""
    rows = RetentionAnchor.objects.filter(chain=chain).order_by("-position")
    found = rows.values_list("position", "digest").first()
    return Place(*found) if found else None


def object_key(chain: str, position: int) -> str:
    """How the config log names the segment that ends there."""
    return f"{chain}:{position}"


def untold_anchors() -> Iterator[Break]:
    """An anchor opens the door to deleting, so each must stand in the config log.

    Where the log itself was purged, that of older anchors went with it.
    """
    purged = anchor_of(ConfigAuditLog.shared_chain)
    oldest = ConfigAuditLog.objects.order_by("position").values_list("at", flat=True).first()
    for anchor in RetentionAnchor.objects.order_by("pk").iterator():
        if purged and oldest and anchor.at < oldest:
            continue
        key = object_key(anchor.chain, anchor.position)
        told = ConfigAuditLog.objects.filter(action=PURGE, object_kind=CHAIN, object_key=key)
        if not told.exists():
            yield Break(
                table=anchor.table, chain=anchor.chain, position=anchor.position, fault="untold"
            )
