"""What may be purged: closed segments at a chain's beginning that are old enough and not held."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from apps.audit import holding
from apps.audit.anchors import anchor_of
from apps.audit.models import AuditEntry, ChainedRow, ConfigAuditLog, LegalHold
from apps.audit.services.holds import in_force
from apps.lib import clock

Kind = LegalHold.Kind


def latest_cutoff() -> datetime:
    """What is written from then on must stay."""
    return clock.now() - timedelta(days=settings.AUDIT_RETENTION_DAYS)


def purgeable(model: type[ChainedRow], chain: str, cutoff: datetime) -> tuple[int, int]:
    """The first and the last position of the chain that may go; nothing may where last < first."""
    anchor = anchor_of(chain)
    first = anchor.position + 1 if anchor else 1
    rows = model._default_manager.filter(chain=chain, position__gte=first)
    positions = rows.values_list("position", flat=True)
    kept = positions.filter(_kept(model, cutoff)).order_by("position").first()
    if kept is not None:
        return first, kept - 1
    return first, positions.order_by("-position").first() or first - 1


def _kept(model: type[ChainedRow], cutoff: datetime) -> Q:
    young = Q(at__gte=cutoff)
    if model is not AuditEntry:
        return young | _held(model)
    after = AuditEntry.objects.filter(audit_id=OuterRef("audit_id"), phase=AuditEntry.Phase.AFTER)
    is_open = Q(phase=AuditEntry.Phase.BEFORE) & ~Exists(after.filter(at__lt=cutoff))
    return young | is_open | _held(model)


def _held(model: type[ChainedRow]) -> Q:
    keys: dict[str, list[str]] = {kind: [] for kind in Kind.values}
    for kind, key in in_force().values_list("kind", "key"):
        keys[kind].append(key)
    organisations, users = (
        [int(key) for key in keys[kind]] for kind in (Kind.ORGANISATION, Kind.USER)
    )
    if model is ConfigAuditLog:
        q = Q(organisation_id__in=organisations) | Q(actor_id__in=users)
        for kind, some in keys.items():
            q |= Q(object_kind=kind, object_key__in=some)
        return q
    q = Q(organisation_id__in=organisations) | Q(user_id__in=users)
    if not keys[Kind.CONVERSATION]:
        return q
    runs = list(holding.conversations().runs_of(keys[Kind.CONVERSATION]))
    if model is AuditEntry:
        return q | Q(run_id__in=runs)
    calls = AuditEntry.objects.filter(run_id__in=runs).values("audit_id")
    return q | Q(audit_id__in=calls)
