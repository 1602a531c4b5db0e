"""What was done: rows that are written once and never changed. Ids are copied, not linked."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.audit.models.chained import ChainedRow
from apps.lib.immutable import ImmutableRows


class AuditEntry(ChainedRow, ImmutableRows):
    """One half of a governed call: `before` is committed before it, `after` tells its outcome."""

    class Phase(models.TextChoices):
        BEFORE = "before", _("调用前")
        AFTER = "after", _("调用后")

    audit_id = models.CharField(max_length=11)
    phase = models.CharField(max_length=6, choices=Phase)
    at = models.DateTimeField(db_index=True)
    user_id = models.BigIntegerField()
    username = models.CharField(max_length=150, db_index=True)
    organisation_id = models.BigIntegerField()
    agent = models.CharField(max_length=64, db_index=True)
    tool = models.CharField(max_length=128, db_index=True)
    run_id = models.CharField(max_length=11, db_index=True)
    tool_call_id = models.CharField(max_length=11)
    surface = models.CharField(max_length=12)
    trace_id = models.CharField(max_length=32, db_index=True)
    outcome = models.CharField(max_length=16, blank=True)
    body = models.TextField()

    class Meta:
        verbose_name = _("审计记录")
        verbose_name_plural = _("审计记录")
        permissions: ClassVar = [
            ("view_audit", _("查看审计")),
            ("operate_audit", _("处理死信与告警")),
        ]
        constraints: ClassVar = [
            *ChainedRow.Meta.constraints,
            models.UniqueConstraint(fields=["audit_id", "phase"], name="audit_entry_once_a_phase"),
        ]

    def __str__(self) -> str:
        return f"{self.audit_id} {self.phase}"


class SecurityEvent(ChainedRow, ImmutableRows):
    """The detail behind a fixed text: what a refusal or a system error really said."""

    class Kind(models.TextChoices):
        REFUSED = "refused", _("拒绝")
        SYSTEM_ERROR = "system_error", _("系统错误")

    kind = models.CharField(max_length=12, choices=Kind)
    at = models.DateTimeField(db_index=True)
    audit_id = models.CharField(max_length=11, db_index=True)
    user_id = models.BigIntegerField()
    username = models.CharField(max_length=150)
    organisation_id = models.BigIntegerField()
    tool = models.CharField(max_length=128)
    trace_id = models.CharField(max_length=32, db_index=True)
    detail = models.TextField()

    class Meta:
        verbose_name = _("安全事件")
        verbose_name_plural = _("安全事件")
        constraints: ClassVar = [*ChainedRow.Meta.constraints]

    def __str__(self) -> str:
        return f"{self.kind} {self.audit_id}"
