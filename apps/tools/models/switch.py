"""Operational switches: off means off, whatever was published."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _


class Switch(models.Model):
    """One thing that is switched off, or was; no row means on."""

    class Kind(models.TextChoices):
        AGENT = "agent", _("智能体")
        TOOL = "tool", _("工具")
        MCP_SERVER = "mcp_server", _("MCP 服务")
        PROVIDER = "provider", _("模型服务")
        SKILL = "skill", _("技能")
        USER = "user", _("用户")

    kind = models.CharField(_("类型"), max_length=12, choices=Kind)
    key = models.CharField(_("对象"), max_length=128)
    is_off = models.BooleanField(_("已停用"), default=True)
    reason = models.TextField(_("理由"))
    changed_at = models.DateTimeField(_("变更时间"))
    changed_by = models.CharField(_("变更人"), max_length=150)

    class Meta:
        verbose_name = _("运行开关")
        verbose_name_plural = _("运行开关")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["kind", "key"], name="switch_once_an_object")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
