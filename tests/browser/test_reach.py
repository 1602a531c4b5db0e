"""The pages by their look and reach: axe finds nothing serious, nothing sticks out, at any size."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Look, Visit, Window
from tests.browser.faults import Faults
from tests.browser.pages import Chat
from tests.server import RunningServer

pytestmark = pytest.mark.browser


def test_the_sign_in_page(
    window: Window, server: RunningServer, options: dict[str, object], look: Look
) -> None:
    page = window(**options)
    page.goto(f"{server.address}/accounts/login/")
    look(page, "sign-in")
    page.locator("[name=username]").fill("alice")
    page.locator("[name=password]").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_be_visible()
    look(page, "sign-in-refused")


def test_a_page_that_is_not_there(
    visit: Visit, faults: Faults, options: dict[str, object], look: Look
) -> None:
    faults.allow("404")
    chat = visit("bob", **options)
    for name, path in (("404", "/no/such/page"), ("404-conversation", "/c/nosuchthing/")):
        chat.page.goto(f"{chat.address}{path}")
        expect(chat.page.get_by_role("heading", level=1)).to_be_visible()
        look(chat.page, name)


def test_a_choice_of_agents(visit: Visit, options: dict[str, object], look: Look) -> None:
    chat = visit("bob", **options)
    chat.page.goto(f"{chat.address}/")
    expect(chat.page.locator('#main a[href="/chat/types/"]')).to_be_visible()
    look(chat.page, "picker")


def test_a_conversation_with_a_form(visit: Visit, options: dict[str, object], look: Look) -> None:
    chat = visit("bob", **options).start("types")
    look(chat.page, "empty")
    chat.say("请帮我登记一位新同学，他从三年级转来。")
    chat.form.expect_state("pending")
    chat.expect_ready()
    look(chat.page, "form")
    chat.form.fill({"age": "99"})
    chat.form.submit()
    expect(chat.form.error("name")).to_be_visible()
    look(chat.page, "form-errors")
    chat.form.fill({"name": "李四", "age": "12", "grade": "四年级", "note": "喜欢下棋。"})
    chat.form.submit()
    chat.form.expect_state("submitted")
    chat.expect_answer("收到了。")
    for card in chat.tools.all():
        card.locator("summary").click()
    look(chat.page, "form-submitted")


def test_a_long_answer(visit: Visit, options: dict[str, object], look: Look) -> None:
    chat = visit("bob", **options).start("markdown")
    chat.say("学费多少？")
    chat.expect_answer("详见")
    look(chat.page, "markdown")


def test_a_refused_call_and_a_failure(visit: Visit, options: dict[str, object], look: Look) -> None:
    chat = visit("bob", **options).start("refused")
    chat.say("加一个学生")
    chat.expect_answer("没有权限。")
    chat.tools.first.locator("summary").click()
    look(chat.page, "refused")
    chat.say("再来一次")  # the script is at its end: the provider refuses
    expect(chat.problem).to_be_visible()
    chat.expect_ready()
    look(chat.page, "failed")


def test_the_list_of_conversations(visit: Visit, options: dict[str, object], look: Look) -> None:
    chat = visit("bob", **options).start("told")
    chat.say("一个很长很长的标题，长到列表里一定放不下，所以会被截断，而不是撑开侧栏")
    chat.expect_answer("好")
    toggle = chat.page.locator("#sidebar-toggle")
    if toggle.is_visible():
        toggle.click()
    expect(chat.listed()).to_be_in_viewport()
    look(chat.page, "list")
    _search(chat)


def _search(chat: Chat) -> None:
    box = chat.page.locator("#sidebar [name=q]")
    box.fill("一个很长")
    box.press("Enter")
    expect(chat.listed()).to_have_count(1)
