"""Security events, to be read."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from apps.audit.admin.reading import AuditReadingAdmin, choice, column, trace
from apps.audit.models import SecurityEvent
from apps.audit.sanitizer import sanitize

COLUMNS = (
    column("at", _("时间")),
    column("kind", _("类型")),
    column("username", _("用户")),
    column("tool", _("工具")),
)


class SecurityEventAdmin(AuditReadingAdmin):
    """What refusals and system errors really said."""

    list_display = (*COLUMNS, "told", trace)
    list_filter = (choice("kind", _("类型")),)
    search_fields = ("=username", "=tool", "=trace_id", "=audit_id")
    search_help_text = _("用户名、工具、追踪编号或审计编号，须完整。")
    ordering = ("-at", "-id")
    readonly_fields = (*COLUMNS, "told", column("audit_id", _("审计编号")), trace)
    fields = readonly_fields

    @admin.display(description=_("说明"))
    def told(self, event: SecurityEvent) -> str:
        return sanitize(event.detail)
