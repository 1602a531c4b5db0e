"""Alerts and administrators' tasks: open ones first; each is dealt with on a page of its own."""

from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Case, Q, QuerySet, Value, When
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.admin.acting import Act, ActingAdmin, Offer, Told
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import column, trace
from apps.audit.models import AdminTask, Alert
from apps.audit.services import admin_tasks, alerts

State = Alert.State
CAUSES = {
    "dead_letter": gettext_lazy("有任务成为死信"),
    "alert_channel_failed": gettext_lazy("告警渠道发送失败"),
    "audit_open": gettext_lazy("审计后半段久未写成"),
    "audit_orphan": gettext_lazy("调用缺少结局"),
    "policy_unreadable": gettext_lazy("无法读取调用策略"),
    "upgrade_trigger": gettext_lazy("达到升级条件"),
}
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


def acknowledging(alert: Alert) -> Act:
    """Say that somebody sees to it."""

    def do(actor: Actor, reason: str) -> Told:
        alerts.acknowledge(alert_id=alert.pk, actor=actor, reason=reason)
        return messages.SUCCESS, _("已确认告警。")

    return Act(
        title=_("确认告警"),
        sentence=_("表示有人在处理；再次发生时只增加次数，不另发通知。"),
        button=_("确认由我处理"),
        facts=_facts(alert),
        do=do,
    )


def resolving(alert: Alert) -> Act:
    """Say that it is over."""

    def do(actor: Actor, reason: str) -> Told:
        alerts.resolve(alert_id=alert.pk, actor=actor, reason=reason)
        return messages.SUCCESS, _("已解决告警。")

    return Act(
        title=_("解决告警"),
        sentence=_("表示问题已经消除；之后再次发生会成为新的告警，并重新通知。"),
        button=_("标记为已解决"),
        facts=_facts(alert),
        do=do,
    )


def completing(task: AdminTask) -> Act:
    """Say that the work is done."""

    def do(actor: Actor, reason: str) -> Told:
        admin_tasks.complete(task_id=task.pk, actor=actor, reason=reason)
        return messages.SUCCESS, _("已完成管理任务。")

    return Act(
        title=_("完成管理任务"),
        sentence=_("测量结果若仍然如此，会再次提出这项任务。"),
        button=_("标记为已完成"),
        facts=[(_("标题"), task.title)],
        do=do,
    )


def _facts(alert: Alert) -> list[tuple[str, str]]:
    subject = f"{alert.object_kind} {alert.object_key}".strip()
    return [(_("原因"), told_cause(alert)), (_("对象"), subject), (_("说明"), alert.detail)]


def told_cause(alert: Alert) -> str:
    """In words, with the code by which it is found in logs and webhooks."""
    known = CAUSES.get(alert.cause)
    return f"{known} · {alert.cause}" if known else alert.cause


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
