"""Where models are asked."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Organisation
from apps.agents.addresses import check_address
from apps.agents.kinds import check_options
from apps.lib.encryption import EncryptedTextField


class Provider(models.Model):
    """A model service: live by reference, so a new key or address needs no publishing."""

    class Kind(models.TextChoices):
        DEMO = "demo", _("演示模型")
        OPENAI = "openai", _("OpenAI 兼容")
        SCRIPTED = "scripted", _("脚本（测试）")

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="providers", verbose_name=_("组织")
    )
    name = models.SlugField(_("名称"), max_length=64)
    kind = models.CharField(_("类型"), max_length=10, choices=Kind, default=Kind.OPENAI)
    base_url = models.CharField(_("地址"), max_length=500, blank=True)
    api_key = EncryptedTextField(_("密钥"), blank=True)
    default_model = models.CharField(_("默认模型"), max_length=128, blank=True)
    options = models.JSONField(_("选项"), default=dict, blank=True)
    shared = models.BooleanField(_("所有组织可用"), default=False)
    enabled = models.BooleanField(_("启用"), default=True)
    version = models.PositiveIntegerField(default=1, editable=False)

    class Meta:
        verbose_name = _("模型服务")
        verbose_name_plural = _("模型服务")
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation", "name"], name="provider_name")
        ]

    def __str__(self) -> str:
        return self.name

    def clean(self) -> None:
        """Address and options must be what the kind can work with."""
        if self.base_url:
            check_address(self.base_url, field="base_url")
        check_options(self.kind, self.options)

    def usable_by(self, organisation_id: int) -> bool:
        """Whether agents of that organisation may be bound to it."""
        return self.shared or self.organisation_id == organisation_id
