"""A conversation of one person with one agent."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.lib.ids import new_id


class ConversationQuerySet(models.QuerySet["Conversation"]):
    """Reads of conversations."""

    def for_actor(self, actor: Actor) -> "ConversationQuerySet":
        """One's own, and nobody else's."""
        return self.filter(user_id=actor.user_id)


class Conversation(models.Model):
    """One thread of messages; modes can only be tightened by its owner."""

    class Variant(models.TextChoices):
        PUBLISHED = "published", _("已发布")
        DRAFT = "draft", _("草稿")

    class Surface(models.TextChoices):
        CHAT = "chat", _("聊天")
        API = "api", "API"
        AGUI = "agui", "AG-UI"
        A2A = "a2a", "A2A"
        PLAYGROUND = "playground", _("试用")
        TASK = "task", _("任务")

    id = models.CharField(primary_key=True, max_length=11, default=new_id, editable=False)
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="conversations")
    agent = models.ForeignKey(Agent, on_delete=models.PROTECT, related_name="conversations")
    title = models.CharField(max_length=200, blank=True)
    variant = models.CharField(max_length=10, choices=Variant, default=Variant.PUBLISHED)
    surface = models.CharField(max_length=12, choices=Surface, default=Surface.CHAT)
    permission_mode = models.CharField(
        max_length=12, choices=Agent.PermissionMode, default=Agent.PermissionMode.DEFAULT
    )
    plan_mode = models.CharField(max_length=8, choices=Agent.PlanMode, default=Agent.PlanMode.OFF)
    locked_skill_key = models.CharField(max_length=64, blank=True)
    created_at = models.DateTimeField()
    last_message_at = models.DateTimeField(null=True)

    objects = ConversationQuerySet.as_manager()

    class Meta:
        verbose_name = _("会话")
        verbose_name_plural = _("会话")
        permissions: ClassVar = [("use_chat", _("使用聊天"))]
        indexes: ClassVar = [
            models.Index(fields=["user", "-last_message_at"], name="conversation_of_user")
        ]

    def __str__(self) -> str:
        return self.title or self.pk
