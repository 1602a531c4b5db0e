"""The state of every governed call."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class ToolRun(models.Model):
    """One call of one step of one run; its outcome is committed before anyone sees it.

    `arguments` and `result` are canonical JSON text; `content` is what the model is told. The row
    is the outbox of audit.after: `audit_state` says whether that stands, `audit_attempts` counts
    the tries before each body, `audit_due_at` is when the next is due.
    """

    class Status(models.TextChoices):
        PLANNED = "planned", _("已登记")
        WAITING = "waiting", _("等待决定")
        STARTED = "started", _("执行中")
        HELD = "held", _("结果待放行")
        SUCCEEDED = "succeeded", _("成功")
        FAILED = "failed", _("失败")
        REFUSED = "refused", _("已拒绝")
        TIMED_OUT = "timed_out", _("超时")
        CANCELLED = "cancelled", _("已取消")
        NOT_EXECUTED = "not_executed", _("未执行")
        UNKNOWN = "unknown", _("结果未知")

    class Kind(models.TextChoices):
        LOCAL = "local", _("本地")
        MCP = "mcp", "MCP"
        HTTP = "http", "HTTP"
        AGENT = "agent", _("智能体")

    class AuditState(models.TextChoices):
        OPEN = "open", _("待写")
        WRITTEN = "written", _("已写")
        DEAD = "dead", _("死信")

    OPEN: ClassVar = (Status.PLANNED, Status.WAITING, Status.STARTED, Status.HELD)

    tool_call_id = models.CharField(max_length=11, unique=True)
    run_id = models.CharField(max_length=11)
    conversation_id = models.CharField(max_length=11, db_index=True)
    message_id = models.BigIntegerField(null=True)
    step = models.PositiveIntegerField()
    index = models.PositiveIntegerField()
    name = models.CharField(max_length=128)
    kind = models.CharField(max_length=8, choices=Kind, default=Kind.LOCAL)
    status = models.CharField(max_length=12, choices=Status, default=Status.PLANNED)
    arguments = models.TextField(default="{}")
    ok = models.BooleanField(null=True)
    result = models.TextField(blank=True)
    content = models.TextField(blank=True)
    error_message = models.TextField(blank=True)
    audit_id = models.CharField(max_length=11, db_index=True)
    audit_state = models.CharField(max_length=7, choices=AuditState, default=AuditState.OPEN)
    audit_attempts = models.PositiveSmallIntegerField(default=0)
    audit_due_at = models.DateTimeField(null=True)
    user_id = models.BigIntegerField()
    organisation_id = models.BigIntegerField()
    agent = models.CharField(max_length=64)
    trace_id = models.CharField(max_length=32)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)
    duration_ms = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("工具调用")
        verbose_name_plural = _("工具调用")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run_id", "step", "index"], name="tool_run_place")
        ]
        indexes: ClassVar = [
            # What the sweeper looks for: few rows, however many calls there were.
            models.Index(
                fields=["created_at"],
                condition=models.Q(audit_state="open"),
                name="tool_run_audit_open",
            )
        ]

    def __str__(self) -> str:
        return f"{self.name} {self.tool_call_id}"
