"""Acknowledging, resolving, completing: what each page says, and what it does."""

from django.contrib import messages
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.actor import Actor
from apps.audit.admin.acting import Act, Told
from apps.audit.models import AdminTask, Alert
from apps.audit.services import admin_tasks, alerts

CAUSES = {
    "dead_letter": gettext_lazy("有任务成为死信"),
    "alert_channel_failed": gettext_lazy("告警渠道发送失败"),
    "audit_open": gettext_lazy("审计后半段久未写成"),
    "audit_orphan": gettext_lazy("调用缺少结局"),
    "policy_unreadable": gettext_lazy("无法读取调用策略"),
    "sanitizer_rule_broken": gettext_lazy("有脱敏规则无法使用"),
    "upgrade_trigger": gettext_lazy("达到升级条件"),
}


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
