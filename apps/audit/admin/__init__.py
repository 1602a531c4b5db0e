"""Audit entries and security events, to be read."""

from django.contrib import admin

from apps.audit.admin.reading import AuditReadingAdmin
from apps.audit.models import AuditEntry, SecurityEvent


class AuditEntryAdmin(AuditReadingAdmin):
    """Search by user, agent, tool, run and trace."""

    list_display = ("at", "phase", "username", "agent", "tool", "outcome", "audit_id")
    list_filter = ("phase", "outcome", "surface")
    search_fields = ("username", "agent", "tool", "run_id", "trace_id", "audit_id")
    ordering = ("-at", "-id")


class SecurityEventAdmin(AuditReadingAdmin):
    """What refusals and system errors really said."""

    list_display = ("at", "kind", "username", "tool", "audit_id")
    list_filter = ("kind",)
    search_fields = ("username", "tool", "trace_id", "audit_id")
    ordering = ("-at", "-id")


admin.site.register(AuditEntry, AuditEntryAdmin)
admin.site.register(SecurityEvent, SecurityEventAdmin)
