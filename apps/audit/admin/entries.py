"""Audit entries: searched by who, by what, when and in which trace; and taken out."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from apps.audit.admin.badges import badge
from apps.audit.admin.reading import AuditReadingAdmin, actor_of, choice, column, trace
from apps.audit.admin.searching import ExportForm, SearchForm
from apps.audit.models import AuditEntry
from apps.audit.outcomes import outcome_word
from apps.audit.search import found, visible_entries
from apps.audit.services.export import export_audit

AT = column("at", gettext_lazy("时间"))
PHASE = column("phase", gettext_lazy("阶段"))
WHO = (
    column("username", gettext_lazy("用户")),
    column("agent", gettext_lazy("智能体")),
    column("tool", gettext_lazy("工具")),
)
IDS = (
    column("audit_id", gettext_lazy("审计编号")),
    column("run_id", gettext_lazy("运行编号")),
    column("tool_call_id", gettext_lazy("调用编号")),
    column("surface", gettext_lazy("入口")),
)
AT_MOST = 50_000
TYPES = {"csv": "text/csv; charset=utf-8", "jsonl": "application/jsonl; charset=utf-8"}


class EntryList(ChangeList):
    """Narrowed by the form above it, whose fields are no look-ups of Django's."""

    form: SearchForm

    def get_filters_params(self, params: Any = None) -> dict[str, Any]:
        asked = super().get_filters_params(params)
        return {name: value for name, value in asked.items() if name not in SearchForm.base_fields}

    def get_queryset(self, request: HttpRequest, *args: Any, **kwargs: Any) -> QuerySet[Any]:
        rows = super().get_queryset(request, *args, **kwargs)
        self.form = SearchForm(request.GET)
        return found(rows, self.form.criteria()) if self.form.is_valid() else rows.none()


class AuditEntryAdmin(AuditReadingAdmin):
    """Both halves of every governed call."""

    change_list_template = "admin/audit/entries.html"
    list_display = (AT, PHASE, *WHO, "outcome_shown", trace)
    list_filter = (
        choice("phase", gettext_lazy("阶段")),
        choice("surface", gettext_lazy("入口"), free=True),
    )
    ordering = ("-at", "-id")
    readonly_fields = (AT, PHASE, *WHO, "outcome_shown", *IDS, trace, "body_shown")
    fields = readonly_fields

    @admin.display(description=gettext_lazy("结局"), ordering="outcome")
    def outcome_shown(self, entry: AuditEntry) -> str:
        return badge(entry.outcome, outcome_word(entry.outcome)) if entry.outcome else "—"

    @admin.display(description=gettext_lazy("内容（已脱敏）"))
    def body_shown(self, entry: AuditEntry) -> str:
        return format_html('<pre class="payload">{}</pre>', entry.body)

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        return EntryList

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.export_view)
        return [path("export/", view, name="audit_auditentry_export"), *super().get_urls()]

    def export_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return export_page(request, self)


@require_http_methods(["GET", "POST"])
def export_page(request: HttpRequest, console: AuditReadingAdmin) -> HttpResponse:
    """GET asks what and as what; POST hands it out and writes down that it did."""
    form = ExportForm(request.POST or {"kind": "csv", **request.GET.dict()})
    valid = form.is_valid()
    count = _count(request, form) if valid else 0
    if valid and count > AT_MOST:
        text = _("超过 %(most)d 条；请缩短时间范围，或在服务器上用 manage.py export_audit 导出。")
        form.add_error(None, text % {"most": AT_MOST})
    elif valid and request.method == "POST":
        return _file(request, form)
    shown = {"title": _("导出审计记录"), "form": form, "count": count, "opts": console.opts}
    context = console.admin_site.each_context(request) | shown
    status = 400 if form.errors and request.method == "POST" else 200
    return TemplateResponse(request, "admin/audit/export.html", context, status=status)


def _count(request: HttpRequest, form: ExportForm) -> int:
    return found(visible_entries(actor_of(request)), form.criteria())[: AT_MOST + 1].count()


def _file(request: HttpRequest, form: ExportForm) -> HttpResponse:
    kind = form.cleaned_data["kind"]
    pieces = export_audit(actor=actor_of(request), criteria=form.criteria(), kind=kind)
    answer = HttpResponse("".join(pieces), content_type=TYPES[kind])
    answer["Content-Disposition"] = f'attachment; filename="audit.{kind}"'
    answer["Cache-Control"] = "no-store"
    return answer
