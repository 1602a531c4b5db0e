"""Who acts: organisations, their users, and the tokens users call the API with."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.utils.translation import gettext_lazy as _


class Organisation(models.Model):
    """A tenant: agents, students and conversations belong to exactly one."""

    code = models.SlugField(_("代码"), unique=True, max_length=40)
    name = models.CharField(_("名称"), max_length=100)

    class Meta:
        verbose_name = _("组织")
        verbose_name_plural = _("组织")

    def __str__(self) -> str:
        return self.name


class User(AbstractUser):
    """A person who signs in; always of one organisation."""

    organisation = models.ForeignKey(
        Organisation, on_delete=models.PROTECT, related_name="users", verbose_name=_("组织")
    )
    department = models.CharField(_("部门"), max_length=100, blank=True)
    region = models.CharField(_("区域"), max_length=100, blank=True)
    locale = models.CharField(
        _("语言"), max_length=10, choices=[("zh-hans", "简体中文"), ("en", "English")], blank=True
    )

    REQUIRED_FIELDS: ClassVar[list[str]] = ["email", "organisation"]

    class Meta:
        verbose_name = _("用户")
        verbose_name_plural = _("用户")


class ApiToken(models.Model):
    """A key for the API; only its sha256 is kept, the key itself is shown once."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    name = models.CharField(max_length=100, blank=True)
    digest = models.CharField(max_length=64, unique=True)
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("API 令牌")
        verbose_name_plural = _("API 令牌")

    def __str__(self) -> str:
        return self.name or f"#{self.pk}"
