"""What is done before the page's modules are there: nothing of it is lost."""

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Visit
from tests.browser.pages import Chat

pytestmark = pytest.mark.browser


class Modules:
    """Those of the chat page, on their way until they are let through."""

    def __init__(self, chat: Chat) -> None:
        self._waiting: list[Route] = []
        self._chat = chat
        chat.page.route("**/chat/main.*js", lambda route: self._waiting.append(route))

    def arrive(self) -> None:
        while not self._waiting:
            self._chat.page.wait_for_timeout(20)
        for route in self._waiting:
            route.continue_()
        self._chat.expect_scripts()


def early(chat: Chat, path: str) -> Modules:
    modules = Modules(chat)
    chat.page.goto(f"{chat.address}{path}", wait_until="commit")
    expect(chat.composer).to_be_visible()
    return modules


def test_an_early_suggestion_is_said(visit: Visit) -> None:
    chat = visit("bob")
    modules = early(chat, "/chat/told/")
    chat.page.locator("[data-suggestion]").first.click()
    modules.arrive()
    expect(chat.users).to_contain_text("请开始")
    chat.expect_answer("好")


@pytest.mark.req("RUN-4")
def test_an_early_message_is_sent_once(visit: Visit) -> None:
    chat = visit("bob")
    modules = early(chat, "/chat/told/")
    chat.composer.fill("early bird")
    chat.composer.press("Enter")
    chat.send.click()
    expect(chat.composer).to_have_value("early bird")
    modules.arrive()
    chat.expect_answer("好")
    expect(chat.users).to_have_count(1)
    expect(chat.users).to_contain_text("early bird")


def test_what_is_typed_early_stays(visit: Visit) -> None:
    chat = visit("bob")
    modules = early(chat, "/chat/told/")
    chat.composer.fill("half a tho")
    modules.arrive()
    expect(chat.composer).to_have_value("half a tho")


def test_an_early_form_goes_to_its_conversation(visit: Visit) -> None:
    chat = visit("bob").start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.expect_ready()
    modules = early(chat, f"/c/{chat.conversation}/")
    chat.form.fill({"name": "李四"})
    chat.form.submit()
    assert "?" not in chat.page.url
    modules.arrive()
    chat.form.expect_state("submitted")
    chat.expect_answer("收到了。")
