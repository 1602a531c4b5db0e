"""The pages by their look and reach: axe finds nothing serious, nothing sticks out, at any size."""

from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import (
    CHINESE,
    DESKTOP,
    ENGLISH,
    PHONE,
    TABLET,
    Photograph,
    Visit,
    Window,
)
from tests.browser.faults import Faults
from tests.browser.pages import Chat
from tests.server import RunningServer

pytestmark = pytest.mark.browser
Look = Callable[[Page, str], None]
LOOKS = {
    "desktop": (DESKTOP, "light", CHINESE),
    "desktop-dark": (DESKTOP, "dark", ENGLISH),
    "tablet": (TABLET, "light", ENGLISH),
    "phone": (PHONE, "light", ENGLISH),
    "phone-dark": (PHONE, "dark", CHINESE),
}


@pytest.fixture(params=LOOKS)
def options(request: pytest.FixtureRequest) -> dict[str, object]:
    size, scheme, locale = LOOKS[request.param]
    return {"size": size, "color_scheme": scheme, "locale": locale}


@pytest.fixture
def look(request: pytest.FixtureRequest, photograph: Photograph) -> Look:
    """Photographs the page, and holds it to what every page must be."""
    how = request.node.callspec.params["options"]

    def at(page: Page, name: str) -> None:
        photograph(page, f"{name}-{how}")
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name} scrolls sideways by {wide} px"
        assert serious(page) == []

    return at


def serious(page: Page, *, preload: bool = True) -> list[str]:
    """What axe calls serious or critical, with where.

    `preload`: axe reads what sheets import, for which it adds a style that our policy refuses.
    """
    violations = Axe().run(page, options={"preload": preload}).response["violations"]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in violations
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]


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
