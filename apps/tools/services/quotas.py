"""Quotas: saved with a reason and written down, and how far they are used up."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.services import config_log
from apps.lib import clock
from apps.lib.problem import Problem, RefusedError
from apps.tools.models import Quota, QuotaUse

FIELDS = (
    "name", "organisation_id", "user_id", "agent", "tool", "each_user", "limit", "window_s",
    "is_on",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Used:
    """The fullest count of the window that runs now, and whose; empty: all count together."""

    calls: int
    username: str = ""


def save_quota(*, quota: Quota, actor: Actor, reason: str) -> Quota:
    """Insert or change. RefusedError 403 without the right or for another organisation's."""
    right = "tools.change_quota" if quota.pk else "tools.add_quota"
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(right) or not reaches(user, quota):
        text = _("您没有保存这个配额的权限。")
        raise RefusedError(
            Problem(status=403, code="permission_denied", title=_("没有权限"), detail=text)
        )
    with transaction.atomic():
        before = Quota.objects.filter(pk=quota.pk).values(*FIELDS).first()
        quota.save()
        config_log.record(
            actor=actor,
            action="save_quota",
            object_kind="quota",
            object_key=str(quota.pk),
            reason=reason,
            before=before,
            after={name: getattr(quota, name) for name in FIELDS},
        )
    return quota


def quotas_of(user: User) -> QuerySet[Quota]:
    """Those of the organisation, and those that hold for all; every one for a superuser."""
    if user.is_superuser:
        return Quota.objects.all()
    own = Q(organisation_id=user.organisation_id) | Q(user__organisation_id=user.organisation_id)
    everybody = Q(organisation_id__isnull=True, user_id__isnull=True)
    return Quota.objects.filter(own | everybody)


def used_now(quotas: Iterable[Quota], user: User) -> Mapping[int, Used]:
    """By quota; of those counted by user only users of the reader's organisation are seen."""
    now = int(clock.now().timestamp())
    rows = QuotaUse.objects.filter(
        quota__in=list(quotas), window_start__lte=now, window_start__gt=now - F("quota__window_s")
    )
    people = User.objects.all()
    if not user.is_superuser:
        people = people.filter(organisation_id=user.organisation_id)
        rows = rows.filter(Q(subject__in=people.values("pk")) | Q(subject=0))
    found = {row.quota_id: row for row in rows.order_by("used")}
    names: dict[Any, str] = dict(
        people.filter(pk__in=[row.subject for row in found.values()]).values_list("pk", "username")
    )
    return {key: Used(row.used, names.get(row.subject, "")) for key, row in found.items()}


def reaches(user: User, quota: Quota) -> bool:
    """Whether this person may change it, given the right: a quota of all is a superuser's."""
    before = Quota.objects.filter(pk=quota.pk).first() if quota.pk else None
    return user.is_superuser or (_is_own(user, quota) and (before is None or _is_own(user, before)))


def _is_own(user: User, quota: Quota) -> bool:
    home = user.organisation_id
    person = quota.user
    return quota.organisation_id == home and (person is None or person.organisation_id == home)
