"""Alerts and administrators' tasks: open ones first; each is dealt with on a page of its own."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Case, Q, QuerySet, Value, When
from django.utils.translation import gettext_lazy

from apps.accounts.models import User
from apps.audit.admin.acting import ActingAdmin, Offer
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import column, trace
from apps.audit.admin.settling import acknowledging, completing, resolving, told_cause
from apps.audit.models import AdminTask, Alert

State = Alert.State
OPEN_FIRST = Case(
    When(state="open", then=Value(0)), When(state="acknowledged", then=Value(1)), default=Value(2)
)
TIMES = (column("first_at", gettext_lazy("首次")), column("last_at", gettext_lazy("最近")))
OBJECT = (
    column("object_kind", gettext_lazy("对象类型")),
    column("object_key", gettext_lazy("对象")),
)
BY = (
    column("acknowledged_by", gettext_lazy("确认人")),
    column("resolved_by", gettext_lazy("解决人")),
)


class AlertAdmin(ActingAdmin):
    """Alerts that concern the operator's organisation, or all."""

    list_display = ("told_state", "told_severity", "told_cause", *OBJECT, "count", TIMES[1])
    list_display_links = ("told_cause",)
    list_filter = ("state", "severity", "cause")
    search_fields = ("=cause", "=object_key", "=trace_id", "detail")
    ordering = (OPEN_FIRST, "-last_at", "-id")
    readonly_fields = (
        "told_state", "told_severity", "told_cause", *OBJECT, "detail", "count", *TIMES, *BY, trace,
    )  # fmt: skip
    fields = readonly_fields
    offers: ClassVar = {
        "acknowledge": Offer(label=gettext_lazy("确认…"), states=(State.OPEN,), act=acknowledging),
        "resolve": Offer(
            label=gettext_lazy("解决…"), states=(State.OPEN, State.ACKNOWLEDGED), act=resolving
        ),
    }

    def scoped(self, rows: QuerySet[Any], user: User) -> QuerySet[Any]:
        own = Q(organisation_id=user.organisation_id)
        return rows.filter(own | Q(organisation_id__isnull=True))

    @admin.display(description=gettext_lazy("状态"), ordering="state")
    def told_state(self, alert: Alert) -> str:
        return badge(alert.state, alert.get_state_display())

    @admin.display(description=gettext_lazy("级别"), ordering="severity")
    def told_severity(self, alert: Alert) -> str:
        return badge(alert.severity, alert.get_severity_display())

    @admin.display(description=gettext_lazy("原因"), ordering="cause")
    def told_cause(self, alert: Alert) -> str:
        return told_cause(alert)


class AdminTaskAdmin(ActingAdmin):
    """What a measurement asked administrators to do; it concerns the whole installation."""

    list_display = ("told_state", "title", column("created_at", gettext_lazy("时间")))
    list_display_links = ("title",)
    list_filter = ("state",)
    ordering = ("-state", "-created_at", "-id")
    readonly_fields = (
        "told_state", "title", "detail", column("created_at", gettext_lazy("时间")),
        column("done_at", gettext_lazy("完成时间")), column("done_by", gettext_lazy("完成人")),
    )  # fmt: skip
    fields = readonly_fields
    offers: ClassVar = {
        "complete": Offer(
            label=gettext_lazy("完成…"), states=(AdminTask.State.OPEN,), act=completing
        )
    }

    def scoped(self, rows: QuerySet[Any], user: User) -> QuerySet[Any]:
        return rows

    @admin.display(description=gettext_lazy("状态"), ordering="state")
    def told_state(self, task: AdminTask) -> str:
        return badge(task.state, task.get_state_display())
