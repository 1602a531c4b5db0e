"""What operators changed, to be read."""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from apps.audit.admin.reading import AuditReadingAdmin, choice, column, trace
from apps.audit.models import ConfigAuditLog

COLUMNS = (
    column("at", _("时间")),
    column("username", _("操作人")),
    column("action", _("操作")),
    column("object_kind", _("对象类型")),
    column("object_key", _("对象")),
    column("reason", _("理由")),
)


class ConfigAuditLogAdmin(AuditReadingAdmin):
    """One change a row, with its reason and both values."""

    list_display = COLUMNS
    list_filter = (choice("action", _("操作"), free=True),)
    search_fields = ("=username", "=object_key", "=trace_id")
    search_help_text = _("操作人、对象或追踪编号，须完整。")
    ordering = ("-at", "-id")
    readonly_fields = (*COLUMNS, "values_shown", trace)
    fields = readonly_fields

    @admin.display(description=_("改动前后"))
    def values_shown(self, row: ConfigAuditLog) -> str:
        return format_html('<pre class="payload">{}\n{}</pre>', row.before or "—", row.after or "—")
