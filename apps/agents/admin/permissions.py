"""Which agents a member of staff meets in the console, and what may be done with them."""

from django.db.models import Model, QuerySet
from django.http import HttpRequest

from apps.agents.admin.scope import AnyAdmin, actor_of
from apps.agents.models import Agent
from apps.agents.rights import may


class AgentRightsAdmin(AnyAdmin):
    """Seen with any right on the agent, changed with `edit_agent`, never deleted."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Agent]:
        rows = super().get_queryset(request)
        return rows.filter(pk__in=Agent.objects.visible_to(actor_of(request)).values("pk"))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request) or self.has_add_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Agent | None = None) -> bool:
        rows = self.get_queryset(request)
        return rows.exists() if obj is None else rows.filter(pk=obj.pk).exists()

    def has_change_permission(self, request: HttpRequest, obj: Agent | None = None) -> bool:
        return obj is not None and may(actor_of(request), obj, "edit_agent")

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def may_publish(self, request: HttpRequest, obj: Agent) -> bool:
        return may(actor_of(request), obj, "publish_agent")
