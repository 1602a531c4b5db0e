"""The operators' own rules of what must not leave."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class SanitizerRule(models.Model):
    """A pattern beside the built-in ones, saved only after its two samples were tried on it."""

    name = models.CharField(_("名称"), max_length=64, unique=True)
    pattern = models.CharField(_("匹配模式"), max_length=500)
    hit = models.TextField(_("必须遮盖的样例"))
    keep = models.TextField(_("必须保留的样例"), blank=True)
    is_on = models.BooleanField(_("启用"), default=True)
    changed_at = models.DateTimeField()
    changed_by = models.CharField(max_length=150)

    class Meta:
        verbose_name = _("脱敏规则")
        verbose_name_plural = _("脱敏规则")

    def __str__(self) -> str:
        return self.name
