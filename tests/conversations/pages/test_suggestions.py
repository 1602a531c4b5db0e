"""What the demonstration suggests, to whom."""

import pytest
from django.test import Client

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents import demo_texts
from apps.agents.models import Agent
from apps.agents.services.publish import publish_agent
from tests import factories
from tests.conversations.pages.markup import parse

pytestmark = pytest.mark.django_db


@pytest.mark.req("RUN-4")
@pytest.mark.parametrize(
    ("rights", "offered"),
    [
        (("students.add_student", "students.view_student"), ["帮我新增一个学生", "列出所有学生"]),
        (("students.view_student",), ["列出所有学生"]),
        ((), []),
    ],
)
def test_nothing_is_suggested_that_may_not_be_done(
    client: Client, alice: User, assistant: Agent, rights: tuple[str, ...], offered: list[str]
) -> None:
    assistant.suggestions = [*demo_texts.SUGGESTIONS, "自己写的"]
    assistant.save()
    root = User.objects.get(username="publisher-of-assistant")
    publish_agent(agent=assistant, actor=Actor.of(root), note="")
    named = ("conversations.use_chat", *rights)
    alice.user_permissions.set([factories.permission_named(name) for name in named])
    client.force_login(alice)
    page = parse(client.get("/chat/assistant/").content.decode())
    buttons = page.one(id="welcome").all("button")
    assert [one.text for one in buttons] == [*offered, "自己写的"]
