"""Rows of audit.before whose other half nobody will write: their tool run is gone, or believes it
was written. Each is closed once, and somebody is told."""

import logging
from datetime import timedelta

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext as _

from apps.audit import chain
from apps.audit.models import AuditEntry, DeadLetter
from apps.audit.services.alerts import raise_alert
from apps.lib import clock
from apps.tools.after_entries import lost_entry
from apps.tools.after_letters import KIND
from apps.tools.models import ToolRun

logger = logging.getLogger(__name__)
AT_ONCE = 500
GRACE = timedelta(seconds=60)
RECENT = timedelta(hours=1)
State = ToolRun.AuditState


def close_orphans(*, whole: bool) -> int:
    """How many this call closed or gave back to their tool run; `whole`: of any age."""
    rows = list(orphans(whole=whole).order_by("pk")[:AT_ONCE])
    return sum(_closed(row) for row in rows)


def orphans(*, whole: bool) -> QuerySet[AuditEntry]:
    """With neither an after-row, nor a tool run that will have one, nor a dead letter."""
    phase, same = AuditEntry.Phase, OuterRef("audit_id")
    rows = AuditEntry.objects.filter(phase=phase.BEFORE, at__lt=clock.now() - GRACE)
    if not whole:
        rows = rows.filter(at__gte=clock.now() - RECENT)
    return rows.filter(
        ~Exists(AuditEntry.objects.filter(audit_id=same, phase=phase.AFTER)),
        ~Exists(ToolRun.objects.filter(audit_id=same, audit_state=State.OPEN)),
        ~Exists(DeadLetter.objects.filter(kind=KIND, key=same, state=DeadLetter.State.OPEN)),
    )


def _closed(before: AuditEntry) -> bool:
    runs = ToolRun.objects.filter(audit_id=before.audit_id, audit_state=State.WRITTEN)
    if runs.update(audit_state=State.OPEN, audit_attempts=0, audit_due_at=None):
        logger.error("audit.after of %s is missing, it is written again", before.audit_id)
        return True
    try:
        with transaction.atomic():
            chain.append([lost_entry(before, _("此调用的记录已不存在，结果未知"))])
            raise_alert(
                cause="audit_orphan",
                severity="warning",
                object_kind="organisation",
                object_key=str(before.organisation_id),
                detail=f"{before.audit_id}: audit.before without its tool run",
                organisation_id=before.organisation_id,
                trace_id=before.trace_id,
            )
    except IntegrityError:  # another sweeper was first: one after-row a call
        return False
    return True
