"""The page by keyboard alone: everything is reached, in order, and one sees where one is."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, PHONE, Visit
from tests.browser.pages import Chat

pytestmark = pytest.mark.browser
ORDER = ["log", "SUMMARY", "copy", "retry", "composer-text", "send"]
NAME = """() => {
  const it = document.activeElement
  if (it === document.body) return 'BODY'
  return [it.id, it.dataset.action, it.className, it.tagName].find(Boolean)
}"""
START = """() => {
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
}"""
RING = """() => {
  const style = getComputedStyle(document.activeElement)
  return style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 1
}"""


def walk(chat: Chat, steps: int) -> list[str]:
    """What the Tab key comes by, each with a ring around it."""
    found = []
    for _ in range(steps):
        chat.page.keyboard.press("Tab")
        name = str(chat.page.evaluate(NAME))
        if name == "BODY":
            break
        assert chat.page.evaluate(RING), f"{name} does not show that it has the focus"
        found.append(name)
    return found


def test_the_first_stop_leads_to_the_composer(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.page.evaluate(START)
    chat.page.keyboard.press("Tab")
    skip = chat.page.locator(".skip-link")
    expect(skip).to_be_focused()
    expect(skip).to_be_in_viewport(ratio=1)
    chat.page.keyboard.press("Enter")
    expect(chat.composer).to_be_focused()


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_tab_comes_by_everything_in_order(visit: Visit, size: tuple[int, int]) -> None:
    chat = visit("bob", size=size).start("refused")
    chat.say("加一个学生")
    chat.expect_answer("没有权限。")
    chat.composer.fill("next")
    chat.page.evaluate(START)
    found = walk(chat, 400)  # the list holds what the neighbours said, too
    assert found[0] == "skip-link"
    behind = found[found.index("log") :]
    assert [it for it in behind if it in ORDER] == ORDER
    assert ("sidebar-toggle" in found) == (size == PHONE)
    assert ("sidebar-search" in found) == (size == DESKTOP)


def test_a_menu_opens_and_closes_by_key(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.say("first")
    chat.expect_answer("好")
    summary = chat.page.locator("#conversation-menu > summary")
    summary.focus()
    chat.page.keyboard.press("Enter")
    expect(chat.page.locator("#conversation-title")).to_be_visible()
    chat.page.keyboard.press("Tab")
    expect(chat.page.locator("#conversation-title")).to_be_focused()
    chat.page.keyboard.press("Escape")
    expect(chat.page.locator("#conversation-title")).to_be_hidden()
    expect(summary).to_be_focused()


def test_the_drawer_keeps_the_focus(visit: Visit) -> None:
    chat = visit("bob", size=PHONE).start("told")
    toggle = chat.page.locator("#sidebar-toggle")
    toggle.focus()
    chat.page.keyboard.press("Enter")
    expect(chat.page.locator(".sidebar-close")).to_be_focused()
    walked = walk(chat, 30)
    assert "composer-text" not in walked
    chat.page.keyboard.press("Escape")
    expect(toggle).to_be_focused()
