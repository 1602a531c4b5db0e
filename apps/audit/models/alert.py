"""What needs a person: alerts with their deliveries, and tasks that stay open until done."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Alert(models.Model):
    """One cause at one object; while it is not resolved, the same again only counts up."""

    class Severity(models.TextChoices):
        INFO = "info", _("提示")
        WARNING = "warning", _("警告")
        CRITICAL = "critical", _("严重")

    class State(models.TextChoices):
        OPEN = "open", _("待处理")
        ACKNOWLEDGED = "acknowledged", _("已确认")
        RESOLVED = "resolved", _("已解决")

    cause = models.CharField(_("原因"), max_length=64)
    severity = models.CharField(_("级别"), max_length=8, choices=Severity)
    object_kind = models.CharField(_("对象类型"), max_length=40, blank=True)
    object_key = models.CharField(_("对象"), max_length=128, blank=True)
    detail = models.TextField(_("说明"), blank=True)
    state = models.CharField(_("状态"), max_length=12, choices=State, default=State.OPEN)
    count = models.PositiveIntegerField(_("次数"), default=1)
    organisation_id = models.BigIntegerField(null=True)
    trace_id = models.CharField(max_length=32, blank=True)
    first_at = models.DateTimeField(_("首次"))
    last_at = models.DateTimeField(_("最近"), db_index=True)
    acknowledged_at = models.DateTimeField(null=True, blank=True)
    acknowledged_by = models.CharField(max_length=150, blank=True)
    resolved_at = models.DateTimeField(null=True, blank=True)
    resolved_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = _("告警")
        verbose_name_plural = _("告警")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["cause", "object_kind", "object_key"],
                condition=~models.Q(state="resolved"),
                name="alert_once_until_resolved",
            )
        ]

    def __str__(self) -> str:
        return f"{self.cause} {self.object_key}".strip()


class AlertDelivery(models.Model):
    """One alert on its way through one channel; a job of its own, so that none holds another up."""

    class Channel(models.TextChoices):
        EMAIL = "email", _("邮件")
        WEBHOOK = "webhook", "Webhook"

    class State(models.TextChoices):
        PENDING = "pending", _("待发送")
        SENT = "sent", _("已发送")
        FAILED = "failed", _("失败")

    alert = models.ForeignKey(Alert, on_delete=models.CASCADE, related_name="deliveries")
    channel = models.CharField(max_length=8, choices=Channel)
    state = models.CharField(max_length=8, choices=State, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    due_at = models.DateTimeField(db_index=True)
    error = models.TextField(blank=True)

    class Meta:
        verbose_name = _("告警投递")
        verbose_name_plural = _("告警投递")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["alert", "channel"], name="alert_delivery_once")
        ]

    def __str__(self) -> str:
        return f"{self.channel} {self.alert_id}"


class AdminTask(models.Model):
    """Work for an administrator that a measurement asked for; open at most once a key."""

    class State(models.TextChoices):
        OPEN = "open", _("待办")
        DONE = "done", _("已完成")

    key = models.CharField(_("键"), max_length=128)
    title = models.CharField(_("标题"), max_length=200)
    detail = models.TextField(_("说明"), blank=True)
    state = models.CharField(_("状态"), max_length=4, choices=State, default=State.OPEN)
    created_at = models.DateTimeField(_("时间"))
    done_at = models.DateTimeField(null=True, blank=True)
    done_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = _("管理任务")
        verbose_name_plural = _("管理任务")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["key"], condition=models.Q(state="open"), name="admin_task_open_once"
            )
        ]

    def __str__(self) -> str:
        return self.title
