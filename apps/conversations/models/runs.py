"""A run: the answer to one message, held by a lease, independent of connection and process."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.conversations.models.conversation import Conversation
from apps.conversations.models.messages import Message
from apps.lib.ids import new_id


class Run(models.Model):
    """One run. `owner` holds it under `epoch` until `lease_until` by the database's clock."""

    class Status(models.TextChoices):
        QUEUED = "queued", _("排队中")
        RUNNING = "running", _("运行中")
        WAITING = "waiting", _("等待决定")
        COMPLETED = "completed", _("完成")
        CANCELLED = "cancelled", _("已取消")
        FAILED = "failed", _("失败")

    OPEN: ClassVar = (Status.QUEUED, Status.RUNNING, Status.WAITING)

    id = models.CharField(primary_key=True, max_length=11, default=new_id, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="runs")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="runs")
    user_message = models.OneToOneField(
        Message, on_delete=models.CASCADE, related_name="started_run", null=True
    )
    message = models.OneToOneField(Message, on_delete=models.CASCADE, related_name="answering_run")
    client_request_id = models.UUIDField()
    body_digest = models.CharField(max_length=64)

    status = models.CharField(max_length=10, choices=Status, default=Status.QUEUED)
    epoch = models.PositiveIntegerField(default=0)
    owner = models.CharField(max_length=40, blank=True)
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveIntegerField(default=0)
    cancel_requested = models.BooleanField(default=False)

    agent_code = models.CharField(max_length=63)
    record_id = models.BigIntegerField(null=True)
    agent_version = models.CharField(max_length=12)
    snapshot_digest = models.CharField(max_length=64, blank=True)
    variant = models.CharField(max_length=10, choices=Conversation.Variant)
    gray_hit = models.BooleanField(default=False)
    surface = models.CharField(max_length=12, choices=Conversation.Surface)
    locale = models.CharField(max_length=10, blank=True, default="")
    parameters = models.JSONField(default=dict, blank=True)
    trace_id = models.CharField(max_length=32, db_index=True)

    finish_reason = models.CharField(max_length=12, blank=True)
    error_code = models.CharField(max_length=40, blank=True)
    prompt_tokens = models.PositiveIntegerField(null=True)
    completion_tokens = models.PositiveIntegerField(null=True)
    cost = models.DecimalField(max_digits=14, decimal_places=6, null=True)
    first_token_ms = models.PositiveIntegerField(null=True)
    total_ms = models.PositiveIntegerField(null=True)
    created_at = models.DateTimeField(db_index=True)
    started_at = models.DateTimeField(null=True)
    finished_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("运行")
        verbose_name_plural = _("运行")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["conversation", "client_request_id"], name="run_once_a_request"
            ),
            models.UniqueConstraint(
                fields=["conversation"],
                condition=models.Q(status__in=["queued", "running", "waiting"]),
                name="run_one_open_in_conversation",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["status", "lease_until"],
                condition=models.Q(status__in=["queued", "running", "waiting"]),
                name="run_open",
            )
        ]

    def __str__(self) -> str:
        return self.pk

    @property
    def language(self) -> str:
        """In which its texts are told: that of the page that asked, else of the person."""
        return self.locale or self.user.locale

    @property
    def openings(self) -> int:
        """How many events it opens with: a regenerated answer has no user message of its own."""
        return 1 if self.user_message_id is None else 2


class RunLimit(models.Model):
    """The starts of a user's runs in the last minute; its row is the lock of the limiter."""

    user = models.OneToOneField(User, on_delete=models.CASCADE, primary_key=True)
    starts = models.JSONField(default=list)

    def __str__(self) -> str:
        return str(self.user_id)
