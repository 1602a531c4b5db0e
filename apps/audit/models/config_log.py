"""What operators changed: switches, quotas, rules, holds, replays."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.audit.models.chained import ChainedRow
from apps.lib.immutable import ImmutableRows


class ConfigAuditLog(ChainedRow, ImmutableRows):
    """One change by one person, with its reason; `before` and `after` are canonical JSON."""

    shared_chain = "config"

    at = models.DateTimeField(db_index=True)
    actor_id = models.BigIntegerField()
    username = models.CharField(max_length=150, db_index=True)
    organisation_id = models.BigIntegerField()
    action = models.CharField(max_length=40)
    object_kind = models.CharField(max_length=40)
    object_key = models.CharField(max_length=128, db_index=True)
    reason = models.TextField(blank=True)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    trace_id = models.CharField(max_length=32, blank=True)

    class Meta:
        verbose_name = _("配置变更")
        verbose_name_plural = _("配置变更")
        constraints: ClassVar = [*ChainedRow.Meta.constraints]

    def __str__(self) -> str:
        return f"{self.action} {self.object_kind} {self.object_key}"
