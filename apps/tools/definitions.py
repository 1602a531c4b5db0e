"""What operators set for calls: quotas and switches, read again at most once a second.

Each thread keeps its own copy, so a change holds within a second in every process, and nobody has
to be told. What was read for a round that failed is read again.
"""

import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from apps.audit.services import sanitizer_rules
from apps.tools.models import Quota, Switch
from apps.tools.policy import Off

SECONDS = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A quota as it is decided by; None and empty name everything."""

    id: int
    organisation_id: int | None
    user_id: int | None
    agent: str
    tool: str
    each_user: bool
    limit: int
    window_s: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Definitions:
    """All quotas in force, and all that is switched off."""

    limits: tuple[Limit, ...]
    off: Off


class _Kept(threading.local):
    definitions: Definitions | None = None
    until: float = 0.0


_kept = _Kept()


def current() -> Definitions:
    """As of a second ago at most; inside the transaction that decides by them."""
    kept, until, _kept.definitions = _kept.definitions, _kept.until, None
    if kept is None or time.monotonic() >= until:
        kept, until = read(), time.monotonic() + SECONDS

    def keep() -> None:
        _kept.definitions, _kept.until = kept, until

    transaction.on_commit(keep)
    return kept


def read() -> Definitions:
    """As they stand in the database; the operators' rules of the sanitiser come along."""
    sanitizer_rules.refresh()
    rows = Quota.objects.filter(is_on=True).order_by("pk")
    return Definitions(limits=tuple(map(_limit, rows)), off=switched_off())


def switched_off() -> Mapping[tuple[str, str], str]:
    """Kind and key of all that is off, with the reasons."""
    rows = Switch.objects.filter(is_off=True).values_list("kind", "key", "reason")
    return {(kind, key): reason for kind, key, reason in rows}


def _limit(quota: Quota) -> Limit:
    return Limit(
        id=quota.pk,
        organisation_id=quota.organisation_id,
        user_id=quota.user_id,
        agent=quota.agent,
        tool=quota.tool,
        each_user=quota.each_user,
        limit=quota.limit,
        window_s=quota.window_s,
    )
