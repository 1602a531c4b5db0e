"""States that one seldom meets: closed, at work, cut, refused; held to what all pages must be."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Look, Visit
from tests.browser.faults import Faults
from tests.browser.proxy import wire
from tests.browser.test_cuts import LOST
from tests.protocols.model_server import ModelServer
from tests.server import RunningServer, manage

pytestmark = pytest.mark.browser
DISABLED = """
from django.utils import timezone
from apps.accounts.models import User
from apps.agents.models import Agent, Provider
from apps.conversations.models import Conversation, Message
from tests.factories import grant, make_agent, publish
bob = User.objects.get(username="bob")
provider = Provider.objects.get(name="markdown")
agent = publish(make_agent(bob.organisation, "closed", name="停用的助理", provider=provider))
Agent.objects.filter(pk=agent.pk).update(state=Agent.State.DISABLED)
grant(bob, agent, "use_agent")
now = timezone.now()
one = Conversation.objects.create(
    user=bob, agent=agent, title="以前的会话", created_at=now, last_message_at=now)
for role in ("user", "assistant"):
    Message.objects.create(conversation=one, role=role, content="好", created_at=now,
        agent_version="1")
print(one.pk)
"""


@pytest.fixture(scope="module")
def closed(server: RunningServer) -> str:
    """A conversation of bob's with an agent that has been disabled since."""
    return manage(server.environment, "shell", "-v", "0", "-c", DISABLED).strip().split()[-1]


def test_a_closed_conversation(
    visit: Visit, closed: str, options: dict[str, object], look: Look
) -> None:
    chat = visit("bob", **options).open(closed)
    expect(chat.page.locator("#composer-closed")).to_be_in_viewport(ratio=1)
    expect(chat.composer).to_have_count(0)
    expect(chat.answer.locator("[data-action=copy]")).to_be_visible()
    expect(chat.answer.locator("[data-action=retry]")).to_be_hidden()
    look(chat.page, "closed")


def test_a_right_lost_while_looking(
    visit: Visit, options: dict[str, object], look: Look, faults: Faults
) -> None:
    faults.allow(LOST)
    chat = visit("bob", **options).start("told")
    chat.say("first")
    chat.expect_answer("好")
    chat.page.route("**/ws/chat/**", lambda route: route.abort())
    chat.page.route("**/conversations/**", lambda route: route.fulfill(status=403, json=GONE))
    chat.page.route_web_socket("**/ws/chat/**", lambda socket: socket.close(code=4403))
    chat.page.evaluate("() => dispatchEvent(new Event('offline'))")
    expect(chat.page.locator("#composer-closed")).to_be_in_viewport(ratio=1, timeout=20_000)
    look(chat.page, "right-lost")


GONE = {"title": "Forbidden", "status": 403, "code": "forbidden", "detail": "", "errors": {}}


def test_a_run_at_work(
    visit: Visit, held: ModelServer, options: dict[str, object], look: Look
) -> None:
    chat = visit("bob", **options).start("told")
    chat.say("hold on")
    expect(chat.answer).to_contain_text("held")
    chat.composer.fill("the next one")
    chat.composer.press("Enter")
    expect(chat.page.locator("#composer-hint")).to_have_attribute("data-state", "error")
    look(chat.page, "at-work")
    chat.stop.click()
    chat.expect_ready()
    look(chat.page, "stopped")


def test_a_message_that_waits_for_the_network(
    visit: Visit, server: RunningServer, faults: Faults, options: dict[str, object], look: Look
) -> None:
    faults.allow(LOST)
    with wire(server.port) as cable:
        chat = visit("bob", address=cable.address, **options).start("told")
        chat.say("first")
        chat.expect_answer("好")
        cable.cut()
        expect(chat.connection).not_to_have_attribute("data-state", "online")
        chat.say("second")
        look(chat.page, "offline")
        chat.stop.click()
        chat.expect_ready()
        look(chat.page, "taken-back")


def test_the_menus(visit: Visit, options: dict[str, object], look: Look) -> None:
    chat = visit("bob", **options).start("told")
    chat.say("first")
    chat.expect_answer("好")
    menu = chat.page.locator("#conversation-menu")
    menu.locator("> summary").click()
    menu.locator("details > summary").click()
    look(chat.page, "menu")
    menu.locator("[name=title]").press("Enter")
    expect(chat.page.locator("#toast")).not_to_be_empty()
    look(chat.page, "renamed")
    toggle = chat.page.locator("#sidebar-toggle")
    if toggle.is_visible():
        toggle.click()
    chat.page.locator("#user-menu > summary").click()
    look(chat.page, "user-menu")


def test_a_page_for_others(
    visit: Visit, faults: Faults, options: dict[str, object], look: Look
) -> None:
    faults.allow("40[03]")
    chat = visit("bob", **options)
    for name, path in (("403", "/admin/"), ("400", "/?q=%00")):
        chat.page.goto(f"{chat.address}{path}")
        expect(chat.page.get_by_role("heading", level=1)).to_be_visible()
        look(chat.page, name)
