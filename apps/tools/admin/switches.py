"""Switches: what is off and why; off and on in one action with a reason."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.audit.admin.acting import ActingAdmin, Offer
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import column
from apps.tools.admin.switching import OffForm, switched, switching_off, switching_on
from apps.tools.models import Switch
from apps.tools.services import switches

COLUMNS = (
    column("kind", gettext_lazy("类型")),
    column("reason", gettext_lazy("理由")),
    column("changed_by", gettext_lazy("变更人")),
    column("changed_at", gettext_lazy("变更时间")),
)


class SwitchAdmin(ActingAdmin):
    """Seen and changed as far as the operator reaches the objects."""

    right = "tools.view_switch"
    change_list_template = "admin/tools/switches.html"
    list_display = ("told_state", "told_key", *COLUMNS, "act_shown")
    list_display_links = ("told_key",)
    list_filter = ("is_off", "kind")
    search_fields = ("key", "reason")
    ordering = ("-is_off", "-changed_at", "-id")
    readonly_fields = ("told_state", "told_key", *COLUMNS)
    fields = readonly_fields
    offers: ClassVar = {
        "on": Offer(label=gettext_lazy("重新启用…"), states=("off",), act=switching_on),
        "off": Offer(label=gettext_lazy("停用…"), states=("on",), act=switching_off),
    }

    def scoped(self, rows: QuerySet[Any], user: User) -> QuerySet[Any]:
        own = [row.pk for row in rows if switches.reaches(user, row.kind, row.key)]
        return rows.filter(pk__in=own)

    def state_of(self, row: Any) -> str:
        return "off" if row.is_off else "on"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_view_permission(request, obj) or self.may_act(request)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.may_act(request)

    def may_act(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("tools.change_switch"))

    def add_view(
        self, request: HttpRequest, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """Switching off what was never off."""
        if not self.may_act(request):
            raise PermissionDenied
        form = OffForm(request.POST or None, initial=request.GET.dict())
        if form.is_valid() and switched(request, form):
            text = _("已停用“%(key)s”。") % {"key": form.cleaned_data["key"]}
            messages.success(request, text)
            return HttpResponseRedirect(reverse("admin:tools_switch_changelist"))
        shown = {"title": _("停用"), "form": form, "opts": self.opts}
        context = self.admin_site.each_context(request) | shown
        status = 400 if form.errors else 200
        return TemplateResponse(request, "admin/tools/switch_off.html", context, status=status)

    @admin.display(description=gettext_lazy("状态"), ordering="is_off")
    def told_state(self, switch: Switch) -> str:
        return badge("off", _("已停用")) if switch.is_off else badge("on", _("启用"))

    @admin.display(description=gettext_lazy("对象"), ordering="key")
    def told_key(self, switch: Switch) -> str:
        if switch.kind != Switch.Kind.USER or not switch.key.isdecimal():
            return switch.key
        person = User.objects.filter(pk=int(switch.key)).first()
        return f"{person.username} ({switch.key})" if person else switch.key

    @admin.display(description=gettext_lazy("操作"))
    def act_shown(self, switch: Switch) -> str:
        name = "on" if switch.is_off else "off"
        return format_html(
            '<a href="{}">{}</a>', self.address(name, switch), self.offers[name].label
        )
