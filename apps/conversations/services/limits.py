"""The one limiter of all doors: runs a minute, and open runs, per user.

The user's `RunLimit` row is the lock, so that two processes never both take the last place. What
is taken here is given back by itself when the surrounding transaction is rolled back.
"""

import math

from django.conf import settings
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations.models import Run, RunLimit
from apps.conversations.refusals import rate_limited
from apps.lib.clock import now

WINDOW_S = 60
OPEN_RETRY_S = 5
"""Nobody knows when an open run ends: the client asks again after this many seconds."""


def consume_start(actor: Actor) -> None:
    """Take one place, inside the caller's transaction; RefusedError 429 when none is left."""
    per_minute: int = settings.RUNS_PER_MINUTE
    at_once: int = settings.OPEN_RUNS_PER_USER
    if not per_minute and not at_once:
        return
    limit = _locked(actor.user_id)
    if at_once:
        _require_open_place(actor.user_id, at_once)
    if per_minute:
        _take_start(limit, per_minute)


def _locked(user_id: int) -> RunLimit:
    rows = RunLimit.objects.select_for_update().filter(user_id=user_id)
    row = rows.first()
    if row is None:
        RunLimit.objects.bulk_create([RunLimit(user_id=user_id)], ignore_conflicts=True)
        row = rows.get()
    return row


def _require_open_place(user_id: int, at_once: int) -> None:
    if Run.objects.filter(user_id=user_id, status__in=Run.OPEN).count() >= at_once:
        raise rate_limited(
            _("同时最多 %(limit)d 个未结束的运行。") % {"limit": at_once}, retry_after=OPEN_RETRY_S
        )


def _take_start(limit: RunLimit, per_minute: int) -> None:
    moment = now().timestamp()
    starts = sorted(start for start in limit.starts if start > moment - WINDOW_S)
    if len(starts) >= per_minute:
        free_at = starts[-per_minute] + WINDOW_S
        raise rate_limited(
            _("每分钟最多 %(limit)d 次。") % {"limit": per_minute},
            retry_after=max(1, math.ceil(free_at - moment)),
        )
    limit.starts = [*starts, moment]
    limit.save(update_fields=["starts"])
