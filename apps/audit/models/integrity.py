"""How the chains are held to what they said: heads, seals, anchors, holds."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _

from apps.lib.immutable import ImmutableRows


class ChainHead(models.Model):
    """Where a chain ends; moved in the transaction that appends to it."""

    chain = models.CharField(max_length=11, primary_key=True)
    table = models.CharField(max_length=32)
    position = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("审计链头")
        verbose_name_plural = _("审计链头")

    def __str__(self) -> str:
        return f"{self.table} {self.chain} {self.position}"


class Seal(ImmutableRows):
    """All heads at one time, `{chain: [table, position, digest]}` as text; each is logged too."""

    at = models.DateTimeField(db_index=True)
    heads = models.TextField()
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("审计封存")
        verbose_name_plural = _("审计封存")

    def __str__(self) -> str:
        return self.digest[:12]


class RetentionAnchor(ImmutableRows):
    """Up to here a chain's rows were purged; the newest of a chain counts."""

    chain = models.CharField(max_length=11, db_index=True)
    table = models.CharField(max_length=32)
    position = models.PositiveBigIntegerField()
    digest = models.CharField(max_length=64)
    at = models.DateTimeField()
    username = models.CharField(max_length=150)

    class Meta:
        verbose_name = _("保留期锚点")
        verbose_name_plural = _("保留期锚点")

    def __str__(self) -> str:
        return f"{self.table} {self.chain} {self.position}"


class LegalHold(models.Model):
    """Stops deletion and purging of what it names, until it is lifted."""

    class Kind(models.TextChoices):
        USER = "user", _("用户")
        CONVERSATION = "conversation", _("对话")
        ORGANISATION = "organisation", _("组织")

    kind = models.CharField(_("对象类型"), max_length=12, choices=Kind)
    key = models.CharField(_("对象"), max_length=64)
    reason = models.TextField(_("理由"))
    organisation_id = models.BigIntegerField()
    placed_by = models.CharField(max_length=150)
    placed_at = models.DateTimeField()
    lifted_by = models.CharField(max_length=150, blank=True)
    lifted_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("保全令")
        verbose_name_plural = _("保全令")
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "key"],
                condition=models.Q(lifted_at__isnull=True),
                name="legal_hold_once_in_force",
            )
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.key}"
