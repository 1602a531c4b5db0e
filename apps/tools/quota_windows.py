"""Quotas: how many calls of a window are left, decided in the order in which the calls came.

Guarantees:
- The windows' rows are locked in key order until the round's commit, so that two processes never
  grant the same unit, nor wait for each other in a ring.
- A call takes a unit of every quota that covers it, or of none.
"""

import math
from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import Any, NamedTuple

from apps.lib.writer.statements import Statement, listed, run
from apps.tools.definitions import Limit
from apps.tools.models import QuotaUse
from apps.tools.outcome import Refusal
from apps.tools.session import ToolSession


class Caller(NamedTuple):
    """Whose call of what is counted."""

    organisation_id: int
    user_id: int
    agent: str
    tool: str


class Window(NamedTuple):
    """One row of the counts; `subject` is the user, 0 where all are counted together."""

    quota_id: int
    subject: int
    start: int


def caller_of(session: ToolSession, tool: str) -> Caller:
    """As the session says who calls."""
    return Caller(session.actor.organisation_id, session.actor.user_id, session.agent_code, tool)


def covers(limit: Limit, caller: Caller) -> bool:
    """Whether the call falls under the quota: in all of its scopes."""
    return (
        limit.organisation_id in (None, caller.organisation_id)
        and limit.user_id in (None, caller.user_id)
        and limit.agent in ("", caller.agent)
        and limit.tool in ("", caller.tool)
    )


class Windows:
    """The counts of one round's calls: all are charged at first, and those that are not allowed
    get their units back.
    """

    def __init__(self, limits: Sequence[Limit], calls: Sequence[Caller], at: datetime) -> None:
        self._seconds = at.timestamp()
        self._limits = {limit.id: limit for limit in limits}
        self._of = {
            caller: [self._window(limit, caller) for limit in limits if covers(limit, caller)]
            for caller in set(calls)
        }
        self._charged = Counter(window for caller in calls for window in self._of[caller])
        self._used: dict[Window, int] = {}
        self._kept: dict[Window, int] = {}

    def charge(self) -> list[Statement]:
        """Locks and counts, the rows made where they are missing; nothing where no quota is."""
        charged = [(*window, self._charged[window]) for window in sorted(self._charged)]
        return [_upsert(charged, f"{QuotaUse._meta.db_table}.used + excluded.used")] * bool(charged)

    def charged(self, rows: Sequence[tuple[Any, ...]]) -> None:
        """What the database answered: from here on the calls are counted one by one."""
        counts = {Window(*row[:3]): row[3] for row in rows}
        self._used = {window: counts[window] - self._charged[window] for window in counts}
        self._kept = counts

    def refusal(self, caller: Caller) -> Refusal | None:
        """None while every quota that covers the call has room."""
        full = [window for window in self._of[caller] if self._is_full(window)]
        if not full:
            return None
        wait = max(window.start + self._limits[window.quota_id].window_s for window in full)
        ids = ", ".join(str(window.quota_id) for window in full)
        seconds = max(1, math.ceil(wait - self._seconds))
        return Refusal(kind="quota", detail=f"quota {ids} used up", retry_after=seconds)

    def take(self, caller: Caller) -> None:
        """The call is allowed: it stays charged."""
        for window in self._of[caller]:
            self._used[window] += 1

    def give_back(self) -> None:
        """The units that were not taken, in one statement."""
        left = [(*w, used) for w, used in sorted(self._used.items()) if used != self._kept[w]]
        if left:
            run(*_upsert(left, "excluded.used"))

    def _is_full(self, window: Window) -> bool:
        return self._used[window] >= self._limits[window.quota_id].limit

    def _window(self, limit: Limit, caller: Caller) -> Window:
        start = int(self._seconds // limit.window_s) * limit.window_s
        return Window(limit.id, caller.user_id if limit.each_user else 0, start)


def _upsert(rows: Sequence[tuple[int, int, int, int]], used: str) -> Statement:
    listing, values = listed(("bigint", "bigint", "bigint", "integer"), rows)
    return Statement(_UPSERT.format(table=QuotaUse._meta.db_table, rows=listing, used=used), values)


_UPSERT = """
    INSERT INTO {table} (quota_id, subject, window_start, used) {rows}
    ON CONFLICT (quota_id, subject, window_start) DO UPDATE SET used = {used}
    RETURNING quota_id, subject, window_start, used
"""
