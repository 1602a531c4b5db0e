"""Agents in the console: the draft, and the way to publish it."""

from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.agents.admin.agent_form import AgentForm
from apps.agents.admin.permissions import AgentRightsAdmin
from apps.agents.admin.publishing import publish_page
from apps.agents.admin.scope import VersionedAdmin, actor_of, operator_of, own_organisation
from apps.agents.models import Agent, Provider
from apps.agents.preamble import PREAMBLE
from apps.agents.services.drafts import create_draft, save_draft
from apps.agents.services.standing import Standing, standing_of

FIELDSETS: Any = (
    (None, {"fields": ("organisation", "code", "name", "status")}),
    (gettext_lazy("提示词内容"), {"fields": ("preamble", "prompt")}),
    (
        gettext_lazy("模型与限制"),
        {"fields": ("provider", "model_name", "temperature", "top_p", "max_tokens", "max_iters")},
    ),
    (gettext_lazy("工具与模式"), {"fields": ("tool_names", "permission_mode", "plan_mode")}),
    (gettext_lazy("页面"), {"fields": ("icon", "welcome", "suggestions")}),
    (gettext_lazy("使用范围（保存后立即生效）"), {"fields": ("shared",)}),
)
STANDING = {
    Standing.NEVER_PUBLISHED: gettext_lazy("从未发布"),
    Standing.IN_SYNC: gettext_lazy("线上 %(live)s，草稿没有改动"),
    Standing.CHANGED: gettext_lazy("线上 %(live)s，草稿有未发布的改动"),
}


@admin.register(Agent)
class AgentAdmin(VersionedAdmin, AgentRightsAdmin):
    """The agents on which the operator holds a right; editing needs `edit_agent`."""

    form = AgentForm
    fieldsets = FIELDSETS
    list_display = ("name", "code", "organisation", "state", "live_version", "updated_at")
    list_filter = ("state",)
    search_fields = ("name", "code")
    list_select_related = ("organisation", "live")

    class Media:
        css: ClassVar = {"all": ["agents/console.css"]}

    @admin.display(description=gettext_lazy("线上版本"))
    def live_version(self, agent: Agent) -> str:
        return f"v{agent.live.version}" if agent.live else "—"

    @admin.display(description=gettext_lazy("状态"))
    def status(self, agent: Agent) -> str:
        if agent.pk is None:
            return "—"
        return STANDING[standing_of(agent)] % {"live": self.live_version(agent)}

    @admin.display(description=gettext_lazy("平台规则"))
    def preamble(self, agent: Agent) -> str:
        text = _("排在提示词之前，发布时一并冻结，不能在这里修改。")
        return format_html('<pre class="agent-preamble">{}</pre><p>{}</p>', PREAMBLE, text)

    @admin.display(description=gettext_lazy("工具"))
    def tool_names(self, agent: Agent) -> str:
        """For those who may only look."""
        return ", ".join(agent.tools.order_by("name").values_list("name", flat=True)) or "—"

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fixed = () if obj is None else ("organisation", "code")
        shown = ("status", "preamble", *fixed)
        return shown if operator_of(request).is_superuser else (*shown, "shared")

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        if db_field.name == "organisation":
            kwargs |= own_organisation(request)
        elif not (user := operator_of(request)).is_superuser:
            own = Q(organisation_id=user.organisation_id) | Q(shared=True)
            kwargs["queryset"] = Provider.objects.filter(own)
        return super().formfield_for_foreignkey(db_field, request, **kwargs)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.publish_view)
        own = path("<path:object_id>/publish/", view, name="agents_agent_publish")
        return [own, *super().get_urls()]

    def publish_view(self, request: HttpRequest, object_id: str) -> HttpResponse:
        return publish_page(request, self, unquote(object_id))

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        agent = self.get_object(request, unquote(object_id))
        may_publish = agent is not None and self.may_publish(request, agent)
        extra = (extra_context or {}) | {"may_publish": may_publish}
        return super().change_view(request, object_id, form_url, extra)

    def save_model(self, request: HttpRequest, obj: Agent, form: Any, change: bool) -> None:
        save = save_draft if change else create_draft
        save(agent=obj, tools=form.cleaned_data["tool_names"], actor=actor_of(request))
