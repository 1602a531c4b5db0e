"""Switches: what is off and why; off and on in one action with a reason."""

from typing import Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.admin.acting import Act, ActingAdmin, Offer, ReasonForm, Told
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import actor_of, column
from apps.lib.problem import RefusedError
from apps.tools.models import Switch
from apps.tools.services import switches

COLUMNS = (
    column("kind", gettext_lazy("类型")),
    column("reason", gettext_lazy("理由")),
    column("changed_by", gettext_lazy("变更人")),
    column("changed_at", gettext_lazy("变更时间")),
)


def switching_on(switch: Switch) -> Act:
    """What was off is used again."""

    def do(actor: Actor, reason: str) -> Told:
        switches.switch_on(actor=actor, kind=switch.kind, key=switch.key, reason=reason)
        return messages.SUCCESS, _("已重新启用“%(key)s”。") % {"key": switch.key}

    return Act(
        title=_("重新启用"),
        sentence=_("两秒内在所有节点生效。"),
        button=_("启用 %(key)s") % {"key": switch.key},
        facts=[*_facts(switch), (_("停用理由"), switch.reason)],
        do=do,
    )


def switching_off(switch: Switch) -> Act:
    """What was on is used no more."""

    def do(actor: Actor, reason: str) -> Told:
        switches.switch_off(actor=actor, kind=switch.kind, key=switch.key, reason=reason)
        return messages.SUCCESS, _("已停用“%(key)s”。") % {"key": switch.key}

    return Act(
        title=_("停用"),
        sentence=_("两秒内在所有节点生效，包括已发布的版本和正在等待的运行。"),
        button=_("停用 %(key)s") % {"key": switch.key},
        facts=_facts(switch),
        do=do,
        harmful=True,
    )


def _facts(switch: Switch) -> list[tuple[str, str]]:
    return [(_("类型"), switch.get_kind_display()), (_("对象"), switch.key)]


class OffForm(ReasonForm):
    """What to switch off, and why."""

    kind = forms.ChoiceField(label=gettext_lazy("类型"), choices=Switch.Kind.choices)
    key = forms.CharField(
        label=gettext_lazy("对象"),
        max_length=128,
        help_text=gettext_lazy(
            "工具、技能和 MCP 服务写名称，智能体写代码，模型服务写编号，用户写用户名。"
        ),
    )
    field_order = ("kind", "key", "reason")

    def clean(self) -> dict[str, Any]:
        """People are named by what others know of them; kept is their number."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("kind") == Switch.Kind.USER and "key" in values:
            named = User.objects.filter(username=values["key"]).first()
            values["key"] = str(named.pk) if named else values["key"]
        return values


class SwitchAdmin(ActingAdmin):
    """Seen and changed as far as the operator reaches the objects."""

    right = "tools.view_switch"
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
        if form.is_valid() and _switched(request, form):
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


def _switched(request: HttpRequest, form: OffForm) -> bool:
    given = form.cleaned_data
    try:
        switches.switch_off(
            actor=actor_of(request), kind=given["kind"], key=given["key"], reason=given["reason"]
        )
    except RefusedError as refused:
        for name, texts in refused.problem.errors.items():
            form.add_error(name, list(texts))
        if not refused.problem.errors:
            form.add_error(None, refused.problem.detail)
        return False
    return True
