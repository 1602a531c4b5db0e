"""How often tools may be called, and how often they were."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import Organisation, User


class Quota(models.Model):
    """At most `limit` calls in a window, of what the three scopes name; empty means any.

    Windows are of fixed length and aligned to the epoch. `each_user` counts every user's calls by
    themselves, otherwise all that fall under the quota are counted together.
    """

    name = models.CharField(_("名称"), max_length=100)
    organisation = models.ForeignKey(
        Organisation, on_delete=models.CASCADE, null=True, blank=True, verbose_name=_("组织")
    )
    user = models.ForeignKey(
        User, on_delete=models.CASCADE, null=True, blank=True, verbose_name=_("用户")
    )
    agent = models.CharField(_("智能体代码"), max_length=64, blank=True)
    tool = models.CharField(_("工具"), max_length=128, blank=True)
    each_user = models.BooleanField(_("按用户分别计数"), default=True)
    limit = models.PositiveIntegerField(_("次数上限"))
    window_s = models.PositiveIntegerField(_("窗口（秒）"), default=60)
    is_on = models.BooleanField(_("启用"), default=True)

    class Meta:
        verbose_name = _("配额")
        verbose_name_plural = _("配额")
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=models.Q(window_s__gte=1) & models.Q(window_s__lte=31 * 86_400),
                name="quota_window_sane",
            )
        ]

    def __str__(self) -> str:
        return self.name


class QuotaUse(models.Model):
    """The calls of one window; `subject` is the user's id, 0 where all are counted together."""

    quota = models.ForeignKey(Quota, on_delete=models.CASCADE)
    subject = models.BigIntegerField()
    window_start = models.BigIntegerField()
    used = models.PositiveIntegerField(default=0)

    class Meta:
        verbose_name = _("配额用量")
        verbose_name_plural = _("配额用量")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["quota", "subject", "window_start"], name="quota_use_window"
            )
        ]

    def __str__(self) -> str:
        return f"{self.quota_id}/{self.subject}: {self.used}"
