"""S12: what anybody stored stays text, in every place where the page shows it."""

import json
import re
from collections.abc import Iterator

import pytest
from django.test import Client

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.agents.services.publish import publish_agent
from apps.conversations.models import Conversation, Message
from tests.conversations.pages.conftest import CSP, FORM, See, answer, ask, form_in
from tests.conversations.pages.markup import Node

pytestmark = pytest.mark.django_db
EVIL = (
    "\"'></script></template></textarea><script>alert(1)</script>"
    "<img src=x onerror=alert(1)>{{7*7}}"
)
TAGS = {"script", "img", "iframe", "object", "embed", "style", "base", "meta", "link"}


@pytest.fixture
def page(see: See, conversation: Conversation, assistant: Agent, alice: User) -> Node:
    """Everything that a person, an operator or a model may write is hostile."""
    Agent.objects.filter(pk=assistant.pk).update(
        name=EVIL[:100], welcome=EVIL, suggestions=[EVIL[:100]], icon='x" onload=alert(1)'
    )
    root = User.objects.get(username="publisher-of-assistant")
    publish_agent(agent=Agent.objects.get(pk=assistant.pk), actor=Actor.of(root), note="")
    Conversation.objects.filter(pk=conversation.pk).update(title=EVIL)
    asked = ask(conversation, EVIL)
    call = {"name": EVIL[:60], "arguments": {EVIL: EVIL}, "result": {EVIL: EVIL}}
    failed = {**call, "ok": False, "status": "failed", "error_message": EVIL}
    answer(
        conversation, (EVIL, [call, failed]), (f"[x](javascript:alert(1)) {EVIL}", []), asked=asked
    )
    answer(conversation, ("", []), status="failed", error_code=EVIL[:40])
    Message.objects.create(
        conversation=conversation, role="summary", content=EVIL, created_at=asked.created_at
    )
    fields = [{**field, "label": EVIL, "placeholder": EVIL} for field in FORM["fields"]]
    fields[3]["options"] = [{"label": EVIL, "value": EVIL}]
    form_in(conversation, {"title": EVIL, "description": EVIL, "fields": fields})
    return see(f"/c/{conversation.pk}/?q={EVIL[:60].replace('<', '%3C').replace('&', '%26')}")


def own(page: Node) -> Iterator[Node]:
    yield from page.all(templates=True)


def test_nothing_stored_becomes_an_element(page: Node) -> None:
    body = page.one("body")
    found = [node for node in body.all(templates=True) if node.tag in TAGS]
    assert [(node.tag, node.get("id")) for node in found] == [("script", "chat-config")]
    assert found[0].get("type") == "application/json"


def test_nothing_stored_becomes_an_attribute(page: Node) -> None:
    for node in own(page):
        assert not [name for name in node.attributes if name.startswith("on")], node.attributes
        for name in ("href", "src", "action", "formaction"):
            assert not (node.get(name) or "").lower().startswith(("javascript:", "data:"))


def test_what_was_stored_is_shown_as_it_is(page: Node) -> None:
    assert page.one("h1").text == EVIL[:100]
    question = page.all("article")[0]
    assert question.slot("text").text == EVIL
    config = json.loads(page.one("script", id="chat-config").text)
    assert config["agent"]["welcome"] == EVIL
    assert page.one("input", id="conversation-title").get("value") == EVIL
    assert "49" not in question.slot("text").text


def test_links_of_a_model_tell_nothing(see: See, conversation: Conversation) -> None:
    answer(conversation, ("[x](https://example.com) ![y](https://example.com/p.png)", []))
    links = see(f"/c/{conversation.pk}/").one("article").slot("text").all("a")
    assert [link.get("rel") for link in links] == ["noopener noreferrer nofollow"] * 2


def test_no_page_has_style_or_script_inside(page: Node, see: See, assistant: Agent) -> None:
    for one in (page, see("/"), see("/chat/assistant/")):
        for node in own(one):
            assert node.get("style") is None
            assert node.tag != "style"
            if node.tag == "script":
                assert node.get("src") or node.get("type") == "application/json"


def test_the_policy_asks_for_trusted_types(
    client: Client, alice: User, conversation: Conversation
) -> None:
    client.force_login(alice)
    policy = client.get(f"/c/{conversation.pk}/")[CSP]
    rules = dict(re.findall(r"([a-z-]+) ([^;]+)", policy))
    assert rules["default-src"] == rules["img-src"] == "'self'"
    assert rules["require-trusted-types-for"] == "'script'"
    assert rules["trusted-types"] == "dompurify steward"
    assert rules["connect-src"] == "'self' ws://testserver"
    assert "unsafe" not in policy
    assert "data:" not in policy
    assert client.get(f"/c/{conversation.pk}/", secure=True)[CSP].endswith("wss://testserver")
