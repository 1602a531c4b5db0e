"""One's conversations in the order of their last words, under the day they fall on."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta, tzinfo
from typing import Any
from urllib.parse import urlencode

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations.api.pages import conversation_page
from apps.conversations.services.finding import find_conversations
from apps.lib.clock import now

LISTED = 100
SEARCH_LIMIT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """The conversations of one stretch of days."""

    name: str
    conversations: Sequence[Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sidebar:
    """The list as far as it is shown; `more` is the query of the rest, `kept` of this search."""

    groups: Sequence[Group]
    query: str
    more: str
    kept: str


def sidebar_of(actor: Actor, *, query: str, cursor: str, zone: tzinfo) -> Sidebar:
    """At most a hundred, from the cursor on; RefusedError 400 for a cursor that is not ours."""
    text = query.strip()[:SEARCH_LIMIT]
    rows = find_conversations(actor=actor, text=text)
    page, following = conversation_page(rows, cursor or None, size=LISTED)
    search = {"q": text} if text else {}
    return Sidebar(
        groups=tuple(_grouped(page, zone)),
        query=text,
        more=f"?{urlencode({**search, 'list': following})}" if following else "",
        kept=f"?{urlencode(search)}" if search else "",
    )


def _grouped(conversations: Sequence[Any], zone: tzinfo) -> Iterator[Group]:
    today = now().astimezone(zone).date()
    groups: dict[str, list[Any]] = {}
    for one in conversations:
        day = one.active_at.astimezone(zone).date()
        groups.setdefault(_stretch(day, today), []).append(one)
    for name, members in groups.items():
        yield Group(name=name, conversations=members)


def _stretch(day: date, today: date) -> str:
    if day >= today:
        return _("今天")
    if day == today - timedelta(days=1):
        return _("昨天")
    return _("前 7 天") if day > today - timedelta(days=8) else _("更早")
