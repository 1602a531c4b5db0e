"""The log of a run's events, a row per flush."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.conversations.models.runs import Run


class EventBatch(models.Model):
    """Events numbered `first` to `last`, as the JSON array `[[seq, name, data], …]`."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="batches")
    first = models.BigIntegerField()
    last = models.BigIntegerField()
    payload = models.TextField()

    class Meta:
        verbose_name = _("事件批次")
        verbose_name_plural = _("事件批次")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["run", "first"], name="event_batch_first")
        ]

    def __str__(self) -> str:
        return f"{self.run_id} {self.first}-{self.last}"
