"""Tool runs, to be read."""

from django.contrib import admin

from apps.audit.admin.reading import AuditReadingAdmin
from apps.tools.models import ToolRun


class ToolRunAdmin(AuditReadingAdmin):
    """Every call with its state and what came of it."""

    list_display = ("created_at", "name", "status", "agent", "user_id", "duration_ms", "audit_id")
    list_filter = ("status", "kind")
    search_fields = ("name", "agent", "run_id", "tool_call_id", "trace_id", "audit_id")
    ordering = ("-id",)


admin.site.register(ToolRun, ToolRunAdmin)
