"""What is live, and how it came to be."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.lib.immutable import ImmutableRows


class PublishRecord(ImmutableRows):
    """One complete configuration, frozen: canonical JSON as text, and the sha256 of that text."""

    agent_code = models.CharField(_("智能体"), max_length=63, db_index=True)
    organisation_id = models.BigIntegerField()
    version = models.PositiveIntegerField(_("版本"))
    body = models.TextField(_("内容"))
    digest = models.CharField(_("摘要"), max_length=64)
    note = models.TextField(_("说明"), blank=True)
    published_at = models.DateTimeField(_("发布时间"))
    published_by = models.CharField(_("发布人"), max_length=150)

    class Meta:
        verbose_name = _("发布记录")
        verbose_name_plural = _("发布记录")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["agent_code", "version"], name="publish_record_version")
        ]

    def __str__(self) -> str:
        return f"{self.agent_code} v{self.version}"


class ReleaseEvent(ImmutableRows):
    """The live pointer of an agent moved: who, why, from where to where."""

    class Kind(models.TextChoices):
        PUBLISH = "publish", _("发布")
        ROLLBACK = "rollback", _("回滚")

    agent_code = models.CharField(max_length=63, db_index=True)
    organisation_id = models.BigIntegerField()
    kind = models.CharField(max_length=10, choices=Kind)
    from_version = models.PositiveIntegerField(null=True)
    to_version = models.PositiveIntegerField()
    note = models.TextField(blank=True)
    at = models.DateTimeField()
    by = models.CharField(max_length=150)

    class Meta:
        verbose_name = _("发布事件")
        verbose_name_plural = _("发布事件")

    def __str__(self) -> str:
        return f"{self.agent_code} {self.kind} v{self.to_version}"


class ConfigEpoch(models.Model):
    """One row; it rises with every change of configuration, and each process compares it."""

    number = models.PositiveBigIntegerField(default=1)

    def __str__(self) -> str:
        return str(self.number)
