"""A person's own earlier conversations, through the whole gateway."""

from datetime import timedelta

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Conversation, Message
from apps.lib.clock import now
from apps.tools.registry import catalogue
from apps.tools.testing import fake_context, fake_session, invoke_tool
from apps.tools.wiring import tool_specs

pytestmark = pytest.mark.django_db(transaction=True)


def talk(user: User, agent: Agent, title: str, days_ago: int, said: str = "") -> Conversation:
    moment = now() - timedelta(days=days_ago)
    made = Conversation.objects.create(
        user=user, agent=agent, title=title, created_at=moment, last_message_at=moment
    )
    Message.objects.create(
        conversation=made, role=Message.Role.USER, content=said, created_at=moment
    )
    return made


def titles(user: User, **asked: object) -> list[str]:
    result = invoke_tool("conversations_list", asked, Actor.of(user))
    assert result.ok, result.error
    return [item["title"] for item in result.data["conversations"]]


@pytest.mark.req("TOOL-23")
def test_ones_own_are_listed_newest_first(alice: User, bob: User, assistant: Agent) -> None:
    talk(alice, assistant, "旧的", 9)
    new = talk(alice, assistant, "新的", 1)
    talk(bob, assistant, "别人的", 0)
    result = invoke_tool("conversations_list", {}, Actor.of(alice))
    assert [item["title"] for item in result.data["conversations"]] == ["新的", "旧的"]
    assert result.data["conversations"][0] == {
        "id": new.pk,
        "title": "新的",
        "agent": assistant.name,
        "startedAt": new.created_at.isoformat(),
        "lastMessageAt": new.created_at.isoformat(),
        "url": f"/c/{new.pk}/",
    }


def test_a_word_finds_titles_and_messages(alice: User, assistant: Agent) -> None:
    talk(alice, assistant, "报销", 1)
    talk(alice, assistant, "其他", 2, said="报销到哪一步了")
    talk(alice, assistant, "无关", 3)
    assert titles(alice, q="报销") == ["报销", "其他"]
    assert titles(alice, q="报销", limit=1) == ["报销"]


def test_the_count_is_of_all_that_match(alice: User, assistant: Agent) -> None:
    for day in range(12):
        talk(alice, assistant, f"第{day}天", day)
    result = invoke_tool("conversations_list", {}, Actor.of(alice))
    assert (result.data["count"], len(result.data["conversations"])) == (12, 10)


def test_the_present_conversation_is_none_of_the_earlier(alice: User, assistant: Agent) -> None:
    here = talk(alice, assistant, "现在", 0)
    tools = catalogue.implementation("conversations_list")
    known = catalogue.get("conversations_list")
    assert known is not None
    assert known.input_type is not None
    ctx = fake_context(user_id=alice.pk, organization_id=alice.organisation_id, session_id=here.pk)
    assert tools(known.input_type(), ctx)["conversations"] == []


@pytest.mark.req("TOOL-20")
@pytest.mark.parametrize(("surface", "shown"), [("chat", True), ("a2a", False), ("task", False)])
def test_other_agents_are_not_offered_it(alice: User, surface: str, shown: bool) -> None:
    tool = catalogue.get("conversations_list")
    assert tool is not None
    session = fake_session(Actor.of(alice), tools=(tool,), surface=surface)
    assert bool(tool_specs(session)) is shown
