"""Forms that were rendered, and what people submitted."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.conversations.models import Conversation, Message


class FormInstance(models.Model):
    """One rendered form: the truth, of which the message's `metadata.uiForms` is a projection.

    The id is the id of the tool call; `schema` and `values` are JSON text.
    """

    class State(models.TextChoices):
        PENDING = "pending", _("待填写")
        SUBMITTED = "submitted", _("已提交")

    id = models.CharField(primary_key=True, max_length=11, editable=False)
    conversation = models.ForeignKey(Conversation, on_delete=models.CASCADE, related_name="forms")
    message = models.ForeignKey(Message, on_delete=models.CASCADE, related_name="forms")
    schema = models.TextField()
    state = models.CharField(max_length=10, choices=State, default=State.PENDING)
    values = models.TextField(blank=True)
    summary = models.TextField(blank=True)
    created_at = models.DateTimeField()
    submitted_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("表单")
        verbose_name_plural = _("表单")
        indexes: ClassVar = [
            models.Index(fields=["conversation", "state"], name="form_in_conversation")
        ]

    def __str__(self) -> str:
        return self.pk
