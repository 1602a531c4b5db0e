"""Jobs that ended without success: kept whole until somebody deals with them."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class DeadLetter(models.Model):
    """One job that gave up; `kind` says who can replay it, `payload` is what it needs (JSON)."""

    class State(models.TextChoices):
        OPEN = "open", _("待处理")
        REPLAYED = "replayed", _("已重放")
        DISCARDED = "discarded", _("已放弃")

    kind = models.CharField(_("类型"), max_length=32)
    key = models.CharField(_("对象"), max_length=64)
    state = models.CharField(_("状态"), max_length=10, choices=State, default=State.OPEN)
    reason = models.TextField(_("原因"))
    payload = models.TextField(_("内容"))
    attempts = models.PositiveIntegerField(_("尝试次数"), default=0)
    organisation_id = models.BigIntegerField(null=True)
    trace_id = models.CharField(max_length=32, blank=True)
    created_at = models.DateTimeField(_("时间"), db_index=True)
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.CharField(max_length=150, blank=True)

    class Meta:
        verbose_name = _("死信")
        verbose_name_plural = _("死信")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=models.Q(state="open"),
                name="dead_letter_open_once",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
