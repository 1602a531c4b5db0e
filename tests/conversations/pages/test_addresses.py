"""Which page is at which address, and for whom."""

import json
from typing import Any

import pytest
from django.test import Client
from guardian.shortcuts import remove_perm

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents import demo_texts
from apps.agents.models import Agent
from apps.agents.services.publish import publish_agent
from apps.conversations.models import Conversation, Message
from apps.lib.templatetags.icons import drawn_icon
from tests import factories
from tests.conversations.pages.conftest import See, answer, ask
from tests.conversations.pages.markup import Node, parse

pytestmark = pytest.mark.django_db


def config_of(page: Node) -> dict[str, Any]:
    config: dict[str, Any] = json.loads(page.one("script", id="chat-config").text)
    return config


def test_strangers_go_to_the_sign_in(client: Client, conversation: Conversation) -> None:
    for path in ("/", "/chat/assistant/", f"/c/{conversation.pk}/"):
        answered = client.get(path)
        assert (answered.status_code, answered["Location"]) == (
            302,
            f"/accounts/login/?next={path}",
        )


def test_foreign_and_missing_conversations_look_alike(
    client: Client, bob: User, carol: User, conversation: Conversation
) -> None:
    for user in (bob, carol):
        client.force_login(user)
        for path in (f"/c/{conversation.pk}/", "/c/00000000000/", "/c/a-b/", "/c/学/"):
            page = client.get(path, headers={"accept-language": "en"})
            assert page.status_code == 404
            assert "Page not found" in page.content.decode()
        for verb in ("rename", "delete"):
            assert client.post(f"/c/{conversation.pk}/{verb}/", {"title": "x"}).status_code == 404
    conversation.refresh_from_db()
    assert conversation.title == ""


def test_an_agent_out_of_reach_is_not_found(
    client: Client, assistant: Agent, carol: User, organisation: Organisation
) -> None:
    dave = factories.make_user("dave", organisation, *factories.CHAT)
    for user in (carol, dave):
        client.force_login(user)
        assert client.get("/chat/assistant/").status_code == 404
        assert client.get("/chat/nothing/").status_code == 404


def test_one_agent_is_the_front_page(see: See, assistant: Agent) -> None:
    page = see("/")
    assert page.one("h1").text == "assistant"
    assert page.one(id="welcome").one("p").text == "Hello."
    assert page.one("textarea", id="composer-text").get("enterkeyhint") == "send"
    config = config_of(page)
    assert config["conversationId"] is None
    assert config["urls"] == {
        "socket": "/ws/chat/ID/",
        "api": "/api/ai/chat/conversations/",
        "page": "/c/ID/",
        "signIn": "/accounts/login/",
    }


def test_several_agents_are_offered_by_name(see: See, assistant: Agent, alice: User) -> None:
    tutor = factories.make_agent(
        assistant.organisation, "tutor", provider=assistant.provider, welcome="Learn."
    )
    factories.grant(alice, tutor, "use_agent")
    factories.publish(tutor)
    picker = see("/").one(_class="picker")
    assert [link.get("href") for link in picker.all("a")] == ["/chat/assistant/", "/chat/tutor/"]
    assert see("/chat/tutor/").one(id="welcome").one("p").text == "Learn."


def test_suggestions_are_buttons(see: See, assistant: Agent) -> None:
    assistant.suggestions = ["Add a student", "Find one"]
    assistant.save()
    factories.make_user  # noqa: B018, the publisher is there already
    root = User.objects.get(username="publisher-of-assistant")
    publish_agent(agent=assistant, actor=Actor.of(root), note="")
    buttons = see("/chat/assistant/").one(id="welcome").all("button")
    assert [one.get("data-suggestion") for one in buttons] == ["Add a student", "Find one"]
    assert [one.text for one in buttons] == ["Add a student", "Find one"]


@pytest.mark.req("RUN-4")
def test_the_seeded_agent_speaks_the_readers_language(see: See, assistant: Agent) -> None:
    assistant.name, assistant.welcome = demo_texts.NAME, demo_texts.WELCOME_2
    assistant.suggestions = [*demo_texts.SUGGESTIONS, "自己写的"]
    assistant.save()
    root = User.objects.get(username="publisher-of-assistant")
    publish_agent(agent=assistant, actor=Actor.of(root), note="")
    page = see("/chat/assistant/", language="en")
    assert page.one("h1").text == config_of(page)["agent"]["name"] == "Student assistant"
    assert page.one("p", _class="greeting").text.startswith("Hello, I am the student assistant.")
    buttons = page.one(id="welcome").all("button")
    assert [one.text for one in buttons] == ["Add a student", "List all students", "自己写的"]
    assert see("/chat/assistant/").one("h1").text == "学生助理"


def test_a_person_without_agents_is_told_whom_to_ask(client: Client, carol: User) -> None:
    client.force_login(carol)
    page = client.get("/", headers={"accept-language": "en"}).content.decode()
    assert "Ask an administrator of your organisation for access." in page


@pytest.mark.req("RUN-4")
def test_a_conversation_shows_what_was_said(see: See, conversation: Conversation) -> None:
    asked = ask(conversation, "How <many>?")
    answer(conversation, ("**Two** of them.", []), asked=asked)
    page = see(f"/c/{conversation.pk}/")
    question, told = page.all("article")
    assert question.get("data-role") == "user"
    assert question.slot("text").text == "How <many>?"
    assert told.slot("text").one("strong").text == "Two"
    assert config_of(page)["conversationId"] == conversation.pk
    assert config_of(page)["activeRun"] is None


@pytest.mark.req("RUN-4")
def test_a_pending_answer_is_left_to_the_stream(see: See, conversation: Conversation) -> None:
    asked = ask(conversation)
    pending = answer(conversation, ("Said so far", []), status="pending", asked=asked)
    page = see(f"/c/{conversation.pk}/")
    article = page.one("article", id=f"m-{pending.pk}")
    assert (article.get("data-status"), article.get("data-run-id")) == ("pending", pending.run_id)
    assert article.slot("parts").children == []
    active = {"runId": pending.run_id, "messageId": pending.pk}
    assert config_of(page)["activeRun"] == active


def test_a_lost_right_leaves_it_readable(
    see: See, conversation: Conversation, assistant: Agent, alice: User
) -> None:
    ask(conversation, "still here")
    remove_perm("agents.use_agent", alice, assistant)
    page = see(f"/c/{conversation.pk}/", language="en")
    assert page.one("article").slot("text").text == "still here"
    assert page.all(id="composer") == []
    closed = page.one(id="composer-closed").text
    assert closed.startswith("You may no longer use this agent")
    assert "Ask an administrator" in closed


def test_without_the_right_to_chat_it_says_so(
    see: See, conversation: Conversation, alice: User
) -> None:
    alice.user_permissions.clear()
    page = see(f"/c/{conversation.pk}/", language="en")
    assert "You do not have the right to chat" in page.one(id="composer-closed").text
    assert see("/chat/assistant/").all(id="composer") == []


@pytest.mark.parametrize("state", [Agent.State.DISABLED, Agent.State.RETIRED])
def test_an_agent_switched_off_leaves_it_readable(
    see: See, conversation: Conversation, assistant: Agent, state: str
) -> None:
    ask(conversation, "still here")
    Agent.objects.filter(pk=assistant.pk).update(state=state)
    page = see(f"/c/{conversation.pk}/", language="en")
    assert page.one("article").slot("text").text == "still here"
    assert "This agent is switched off" in page.one(id="composer-closed").text
    assert see("/chat/assistant/").all(id="composer") == []


def test_renaming_needs_no_script(client: Client, alice: User, conversation: Conversation) -> None:
    client.force_login(alice)
    path = f"/c/{conversation.pk}/"
    renamed = client.post(f"{path}rename/", {"title": "  New \x00 name " + "x" * 300})
    assert (renamed.status_code, renamed["Location"]) == (302, path)
    conversation.refresh_from_db()
    assert conversation.title.startswith("New \ufffd name xxx")
    assert len(conversation.title) == 200
    client.post(f"{path}rename/", {"title": "  "})
    conversation.refresh_from_db()
    assert conversation.title.startswith("New")


def test_deleting_needs_no_script(client: Client, alice: User, conversation: Conversation) -> None:
    client.force_login(alice)
    ask(conversation)
    assert client.get(f"/c/{conversation.pk}/delete/").status_code == 405
    deleted = client.post(f"/c/{conversation.pk}/delete/")
    assert (deleted.status_code, deleted["Location"]) == (302, "/")
    assert not Conversation.objects.exists()
    assert not Message.objects.exists()


def test_deleting_asks_once_more(see: See, conversation: Conversation) -> None:
    confirm = see(f"/c/{conversation.pk}/").one("details", _class="confirm")
    form = confirm.one("form", data_action="delete")
    assert confirm.get("open") is None
    assert form.get("action") == f"/c/{conversation.pk}/delete/"
    assert form.one("input", name="csrfmiddlewaretoken").get("value")


@pytest.mark.parametrize("query", ["before=x", "before=-1", "before=" + "9" * 30, "list=x"])
def test_an_odd_cursor_is_a_bad_request(
    client: Client, alice: User, conversation: Conversation, query: str
) -> None:
    client.force_login(alice)
    assert client.get(f"/c/{conversation.pk}/?{query}").status_code == 400


@pytest.mark.parametrize("icon", ["bot", "", "no-such-icon"])
def test_an_icon_that_is_none_of_ours_is_the_common_one(
    see: See, assistant: Agent, icon: str
) -> None:
    Agent.objects.filter(pk=assistant.pk).update(icon=icon)
    assistant.refresh_from_db()
    root = User.objects.get(username="publisher-of-assistant")
    publish_agent(agent=assistant, actor=Actor.of(root), note="")
    place = see("/chat/assistant/").one(_class="agent-icon")
    assert [path.get("d") for path in place.all("path")] == BOT


BOT = [path.get("d") for path in parse(drawn_icon("bot")).all("path")]


def test_browsers_find_the_icon_of_the_site(client: Client) -> None:
    found = client.get("/favicon.ico")
    assert (found.status_code, found["Location"]) == (302, "/static/favicon.svg")


def test_a_page_that_has_expired_says_so_to_people(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    page = client.post("/accounts/logout/", headers={"accept-language": "en"})
    assert page.status_code == 403
    assert "This page has expired" in page.content.decode()
    assert "CSRF" not in page.content.decode()
