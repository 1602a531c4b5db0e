"""Sanitiser rules: saved only after their samples were tried, and a box to try a text in."""

from typing import Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.audit.admin.acting import ActingAdmin, Offer
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import actor_of, column
from apps.audit.admin.rule_pages import RuleForm, deleting, try_page
from apps.audit.models import SanitizerRule

BY = (
    column("changed_by", gettext_lazy("变更人")),
    column("changed_at", gettext_lazy("变更时间")),
)


class SanitizerRuleAdmin(ActingAdmin):
    """Rules of the whole installation: with Django's rights for them."""

    right = "audit.view_sanitizerrule"
    form = RuleForm
    change_list_template = "admin/audit/rules.html"
    list_display = ("name", "pattern", "told_state", *BY)
    list_filter = ("is_on",)
    search_fields = ("name", "pattern")
    ordering = ("name",)
    offers: ClassVar = {
        "remove": Offer(label=gettext_lazy("删除…"), states=("kept",), act=deleting)
    }

    def scoped(self, rows: Any, user: Any) -> Any:
        return rows

    def state_of(self, row: Any) -> str:
        return "kept"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return any(request.user.has_perm(f"audit.{act}_sanitizerrule") for act in _ACTS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("audit.add_sanitizerrule"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("audit.change_sanitizerrule"))

    def may_act(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("audit.delete_sanitizerrule"))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.actor = actor_of(request)  # type: ignore[attr-defined]  # a class of this request
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form has saved it already."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.try_view)
        return [path("try/", view, name="audit_sanitizerrule_try"), *super().get_urls()]

    def try_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return try_page(request, self)

    @admin.display(description=gettext_lazy("状态"), ordering="is_on")
    def told_state(self, rule: SanitizerRule) -> str:
        return badge("on", _("启用")) if rule.is_on else badge("", _("已停用"))


_ACTS = ("view", "add", "change", "delete")
