"""The list of one's conversations: by day, searched, a hundred at most."""

from datetime import timedelta

import pytest
from django.test import Client

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Conversation
from apps.conversations.services.conversations import create_conversation
from apps.lib.clock import now
from tests.conversations.pages.conftest import See, ask
from tests.conversations.pages.markup import Node, parse

pytestmark = pytest.mark.django_db


def talk(user: User, agent: Agent, title: str, **ago: int) -> Conversation:
    one = create_conversation(actor=Actor.of(user), agent_code=agent.code)
    at = now() - timedelta(**ago)
    Conversation.objects.filter(pk=one.pk).update(title=title, last_message_at=at, created_at=at)
    return one


def listed(page: Node) -> dict[str, list[str]]:
    groups = page.one(id="sidebar").one("nav").all("section")
    return {group.one("h2").text: [a.text for a in group.all("a")] for group in groups}


def test_conversations_are_grouped_by_day(
    see: See, alice: User, bob: User, assistant: Agent
) -> None:
    for title, days in (("now", 0), ("before", 1), ("week", 5), ("seven", 7), ("long ago", 60)):
        talk(alice, assistant, title, days=days)
    talk(alice, assistant, "", days=61)
    talk(bob, assistant, "not hers")
    assert listed(see("/", language="en")) == {
        "Today": ["now"],
        "Yesterday": ["before"],
        "Previous 7 days": ["week", "seven"],
        "Older": ["long ago", "New chat"],
    }


def test_days_are_those_of_the_person(client: Client, alice: User, assistant: Agent) -> None:
    """Kiritimati is 14 hours ahead of UTC, Midway 11 behind: never the same day."""
    talk(alice, assistant, "x", minutes=5)
    client.force_login(alice)
    found = set()
    for zone in ("Pacific/Kiritimati", "Pacific/Midway", "../../etc/passwd", "x\x00y"):
        client.cookies["timezone"] = zone
        page = parse(client.get("/", headers={"accept-language": "en"}).content.decode())
        found |= set(listed(page))
    assert found <= {"Today", "Yesterday"}


def test_search_finds_titles_and_messages(see: See, alice: User, assistant: Agent) -> None:
    named = talk(alice, assistant, "Fees & more")
    said = talk(alice, assistant, "other")
    ask(said, "what are the FEES?")
    talk(alice, assistant, "nothing")
    page = see(f"/c/{named.pk}/?q=+fees+", language="en")
    assert listed(page) == {"Today": ["other", "Fees & more"]}
    assert page.one(id="sidebar-search").get("value") == "fees"
    assert page.one(id="sidebar").one("a", aria_current="page").text == "Fees & more"
    assert page.one("a", data_conversation=said.pk).get("href") == f"/c/{said.pk}/?q=fees"
    none = see("/?q=%3Cb%3E", language="en").one(id="sidebar").one("nav")
    assert "No conversation contains “<b>”." in none.text


def test_a_hundred_at_most_and_the_rest_behind_a_link(
    see: See, alice: User, assistant: Agent
) -> None:
    for number in range(103):
        talk(alice, assistant, str(number), minutes=number)
    first = see("/")
    titles = [title for group in listed(first).values() for title in group]
    assert titles == [str(number) for number in range(100)]
    more = first.one(id="sidebar").one("a", _class="more").get("href")
    rest = [title for group in listed(see(f"/{more}")).values() for title in group]
    assert rest == ["100", "101", "102"]
