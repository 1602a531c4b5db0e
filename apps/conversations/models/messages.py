"""What people see (messages) and what the model is told (blocks)."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.conversations.models.conversation import Conversation


class Message(models.Model):
    """One message on the page. Its id is its place: the database hands ids out in order."""

    class Role(models.TextChoices):
        USER = "user", _("用户")
        ASSISTANT = "assistant", _("助理")
        SUMMARY = "summary", _("摘要")

    class Status(models.TextChoices):
        PENDING = "pending", _("进行中")
        COMPLETED = "completed", _("完成")
        FAILED = "failed", _("失败")
        CANCELLED = "cancelled", _("已停止")

    conversation = models.ForeignKey(
        Conversation, on_delete=models.CASCADE, related_name="messages"
    )
    role = models.CharField(max_length=10, choices=Role)
    status = models.CharField(max_length=10, choices=Status, default=Status.COMPLETED)
    content = models.TextField(blank=True)
    html = models.TextField(blank=True)
    metadata = models.JSONField(default=dict, blank=True)
    run_id = models.CharField(max_length=11, blank=True, db_index=True)
    agent_version = models.CharField(max_length=12, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        verbose_name = _("消息")
        verbose_name_plural = _("消息")
        indexes: ClassVar = [
            models.Index(fields=["conversation", "id"], name="message_in_conversation")
        ]

    def __str__(self) -> str:
        return f"{self.role} {self.pk}"


class Block(models.Model):
    """One piece of what the model is told, appended and never changed.

    `payload` is canonical JSON: user `{content}`, step `{index, text, reasoning, calls,
    finish_reason, usage}`, summary `{content}`; `{text, calls}` under the key `partial` is what a
    run had said of a step that never ended. What a call was answered stands in its tool run.
    The id is the order; `key` is unique in the run; a block that a summary stands for is archived.
    """

    class Kind(models.TextChoices):
        USER = "user", _("用户")
        STEP = "step", _("模型步骤")
        SUMMARY = "summary", _("摘要")

    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="blocks")
    run_id = models.CharField(max_length=11, db_index=True)
    kind = models.CharField(max_length=8, choices=Kind)
    key = models.CharField(max_length=24)
    payload = models.TextField()
    tokens = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    archived_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("内容块")
        verbose_name_plural = _("内容块")
        indexes: ClassVar = [
            models.Index(fields=["conversation", "id"], name="block_in_conversation")
        ]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run_id", "key"], name="block_once_in_run")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"
