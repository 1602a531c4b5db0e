"""Tool runs, to be read."""

from django.contrib import admin
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from apps.audit.admin.badges import badge
from apps.audit.admin.reading import AuditReadingAdmin, choice, column, trace
from apps.audit.sanitizer import sanitize
from apps.tools.models import ToolRun

COLUMNS = (
    column("created_at", _("时间")),
    column("name", _("工具")),
    column("agent", _("智能体")),
    column("user_id", _("用户编号")),
    column("duration_ms", _("耗时（毫秒）")),
)
IDS = (
    column("kind", _("类型")),
    column("run_id", _("运行编号")),
    column("tool_call_id", _("调用编号")),
    column("audit_id", _("审计编号")),
    column("audit_state", _("审计后半段")),
)


class ToolRunAdmin(AuditReadingAdmin):
    """Every call with its state; what it was given stands in the audit, redacted."""

    list_display = (COLUMNS[0], COLUMNS[1], "told_status", *COLUMNS[2:], trace)
    list_filter = (choice("status", _("状态")), choice("kind", _("类型")))
    search_fields = ("=name", "=agent", "=run_id", "=tool_call_id", "=trace_id", "=audit_id")
    search_help_text = _("工具、智能体代码或任一编号，须完整。")
    ordering = ("-id",)
    readonly_fields = (*COLUMNS, "told_status", *IDS, trace, "arguments_shown", "error_shown")
    fields = readonly_fields

    @admin.display(description=_("状态"), ordering="status")
    def told_status(self, run: ToolRun) -> str:
        return badge(run.status, run.get_status_display())

    @admin.display(description=_("参数（已脱敏）"))
    def arguments_shown(self, run: ToolRun) -> str:
        return format_html('<pre class="payload">{}</pre>', sanitize(run.arguments))

    @admin.display(description=_("错误"))
    def error_shown(self, run: ToolRun) -> str:
        return run.error_message or "—"
