"""Quotas: how far each is used up, and the form that changes one."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import AnyAdmin, actor_of, operator_of
from apps.lib.problem import RefusedError
from apps.tools.admin.quota_form import QuotaForm, form_of
from apps.tools.models import Quota
from apps.tools.services.quotas import quotas_of, reaches, save_quota, used_now


class QuotaAdmin(AnyAdmin):
    """Quotas of the operator's organisation; those of all are a superuser's to change."""

    form = QuotaForm
    list_display = ("name", "scope", "rule", "used", "state")
    list_filter = ("is_on",)
    search_fields = ("name", "=agent", "=tool")
    list_select_related = ("organisation", "user")
    ordering = ("name", "pk")
    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Quota]:
        rows = super().get_queryset(request)
        return rows.filter(pk__in=quotas_of(operator_of(request)).values("pk"))

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The use of a page's quotas is read in one statement."""
        changes = super().get_changelist_instance(request)
        used = used_now(changes.result_list, operator_of(request))
        for quota in changes.result_list:
            quota.used_now = used.get(quota.pk)
        return changes

    def has_change_permission(self, request: HttpRequest, obj: Quota | None = None) -> bool:
        may = super().has_change_permission(request, obj)
        return may and (obj is None or reaches(operator_of(request), obj))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def get_exclude(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        return () if operator_of(request).is_superuser else ("organisation",)

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        """Staff make quotas for their own organisation and no other."""
        if obj is None and not operator_of(request).is_superuser:
            kwargs["form"] = form_of(operator_of(request).organisation)
        return super().get_form(request, obj, change, **kwargs)

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        user = operator_of(request)
        if db_field.name == "user" and not user.is_superuser:
            kwargs["queryset"] = User.objects.filter(organisation_id=user.organisation_id)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def save_model(self, request: HttpRequest, obj: Quota, form: Any, change: bool) -> None:
        try:
            save_quota(quota=obj, actor=actor_of(request), reason=form.cleaned_data["reason"])
        except RefusedError as refused:
            raise PermissionDenied(refused.problem.detail) from refused

    @admin.display(description=gettext_lazy("范围"))
    def scope(self, quota: Quota) -> str:
        named = (quota.organisation, quota.user, quota.agent, quota.tool)
        return " · ".join(str(each) for each in named if each) or _("全部调用")

    @admin.display(description=gettext_lazy("上限"))
    def rule(self, quota: Quota) -> str:
        shared = _("每用户") if quota.each_user else _("合计")
        values = {"shared": shared, "limit": quota.limit, "seconds": quota.window_s}
        return _("%(shared)s %(limit)d 次 / %(seconds)d 秒") % values

    @admin.display(description=gettext_lazy("当前窗口已用"))
    def used(self, quota: Quota) -> str:
        used = getattr(quota, "used_now", None)
        if used is None:
            return f"0 / {quota.limit}"
        of = f" · {used.username}" if used.username else ""
        return f"{used.calls} / {quota.limit}{of}"

    @admin.display(description=gettext_lazy("状态"), ordering="is_on")
    def state(self, quota: Quota) -> str:
        return badge("on", _("启用")) if quota.is_on else badge("", _("已停用"))
