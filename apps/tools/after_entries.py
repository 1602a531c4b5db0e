"""Makes audit.after of tool runs that have ended; nothing is written here."""

from collections.abc import Sequence

from apps.audit.models import AuditEntry, SecurityEvent
from apps.tools.models import ToolRun
from apps.tools.rows import after_entry

SYSTEM_ERROR = SecurityEvent.Kind.SYSTEM_ERROR


def entries_of(runs: Sequence[ToolRun]) -> tuple[list[AuditEntry], dict[int, Exception]]:
    """The entries, and by key what keeps a run from having one: audit.before is missing."""
    ids = [run.audit_id for run in runs]
    befores = AuditEntry.objects.filter(audit_id__in=ids, phase=AuditEntry.Phase.BEFORE)
    known = {before.audit_id: before for before in befores}
    broken = SecurityEvent.objects.filter(audit_id__in=ids, kind=SYSTEM_ERROR)
    system_errors = set(broken.values_list("audit_id", flat=True))
    entries: list[AuditEntry] = []
    failures: dict[int, Exception] = {}
    for run in runs:
        outcome = SYSTEM_ERROR.value if run.audit_id in system_errors else run.status
        try:
            entries.append(after_entry(run, known[run.audit_id], outcome))
        except (KeyError, TypeError, ValueError) as error:
            failures[run.pk] = error
    return entries, failures


def lost_entry(before: AuditEntry, reason: str) -> AuditEntry:
    """For a call of which nothing but `before` is left."""
    gone = ToolRun(ok=False, error_message=reason, status=ToolRun.Status.UNKNOWN)
    return after_entry(gone, before, ToolRun.Status.UNKNOWN.value)
