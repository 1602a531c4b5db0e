"""What was published and when the live pointer moved: to be read only."""

import json
from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from apps.agents.admin.scope import AnyAdmin, actor_of
from apps.agents.models import Agent, PublishRecord, ReleaseEvent


class ReadOnlyAdmin(AnyAdmin):
    """Rows of the agents the operator can see; nobody adds, changes or deletes one here."""

    actions = None

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        codes = Agent.objects.visible_to(actor_of(request)).values("code")
        return super().get_queryset(request).filter(agent_code__in=codes)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        rows = self.get_queryset(request)
        return rows.exists() if obj is None else rows.filter(pk=obj.pk).exists()

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


@admin.register(PublishRecord)
class PublishRecordAdmin(ReadOnlyAdmin):
    """Every version of every agent, whole."""

    list_display = ("agent_code", "version", "published_at", "published_by", "note", "fingerprint")
    list_filter = ("agent_code",)
    ordering = ("-published_at", "-pk")
    fields = ("agent_code", "version", "published_at", "published_by", "note", "digest", "content")
    readonly_fields = fields

    class Media:
        css: ClassVar = {"all": ["agents/console.css"]}

    @admin.display(description=_("摘要"))
    def fingerprint(self, record: PublishRecord) -> str:
        return record.digest[:12]

    @admin.display(description=_("内容"))
    def content(self, record: PublishRecord) -> str:
        text = json.dumps(json.loads(record.body), ensure_ascii=False, indent=2)
        return format_html('<pre class="agent-preamble">{}</pre>', text)


@admin.register(ReleaseEvent)
class ReleaseEventAdmin(ReadOnlyAdmin):
    """Who moved the live pointer, when, why, from where to where."""

    list_display = ("agent_code", "kind", "from_version", "to_version", "at", "by", "note")
    list_filter = ("agent_code", "kind")
    ordering = ("-at", "-pk")
    fields = list_display
    readonly_fields = list_display
