"""Finds audit rows: who, by which agent and tool, when, in which trace, how it ended."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import AuditEntry, ConfigAuditLog, SecurityEvent

RIGHT = "audit.view_audit"


@dataclass(frozen=True, slots=True, kw_only=True)
class Criteria:
    """Exact values, an empty one asks nothing; `since` is inclusive, `until` is not.

    A call has two rows, and only the one after it has an outcome.
    """

    username: str = ""
    agent: str = ""
    tool: str = ""
    run_id: str = ""
    trace_id: str = ""
    outcome: str = ""
    audit_id: str = ""
    since: datetime | None = None
    until: datetime | None = None


def visible_entries(actor: Actor) -> QuerySet[AuditEntry]:
    """The rows that the actor may read now: with the right, of his organisation; root, all."""
    return AuditEntry.objects.filter(_scope(actor))


def visible_events(actor: Actor) -> QuerySet[SecurityEvent]:
    """The same of what refusals and system errors really said."""
    return SecurityEvent.objects.filter(_scope(actor))


def latest_changes(actor: Actor) -> list[ConfigAuditLog]:
    """The newest few of what was changed, for those who may read the audit."""
    return list(ConfigAuditLog.objects.filter(_scope(actor)).order_by("-pk")[:8])


def _scope(actor: Actor) -> Q:
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(RIGHT):
        return Q(pk__in=())
    return Q() if user.is_superuser else Q(organisation_id=user.organisation_id)


def found(rows: QuerySet[AuditEntry], criteria: Criteria) -> QuerySet[AuditEntry]:
    """Those of the rows that meet every criterion."""
    wanted: dict[str, Any] = {
        "username": criteria.username,
        "agent": criteria.agent,
        "tool": criteria.tool,
        "run_id": criteria.run_id,
        "trace_id": criteria.trace_id,
        "outcome": criteria.outcome,
        "audit_id": criteria.audit_id,
        "at__gte": criteria.since,
        "at__lt": criteria.until,
    }
    return rows.filter(**{name: value for name, value in wanted.items() if value})
