"""The story of the product, told in the browser: alice adds a student through a form."""

import re
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import CHINESE, DESKTOP, ENGLISH, PHONE, Photograph, Visit, Window
from tests.browser.pages import Chat, Entrance
from tests.server import RunningServer

pytestmark = pytest.mark.browser


@dataclass(frozen=True, kw_only=True)
class Telling:
    """The story in one language; `suggested` when the wish is on a button."""

    locale: str
    wish: str
    suggested: bool
    done: str
    title: str
    number: str
    gender: str
    welcome: str = "您好，我是学生助理。"


TELLINGS = {
    "zh": Telling(
        locale=CHINESE,
        wish="帮我新增一个学生",
        suggested=True,
        done="已新增学生",
        title="登录",
        number="S2026",
        gender="女",
    ),
    "en": Telling(
        locale=ENGLISH,
        wish="Add a student, please",
        suggested=False,
        done="Created student",
        title="Sign in",
        number="S2027",
        gender="Female",
        welcome="Hello, I am the student assistant.",
    ),
}


@pytest.mark.req("RUN-4", "FORM-10")
@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", TELLINGS)
def test_alice_adds_a_student_in_the_browser(
    window: Window,
    server: RunningServer,
    photograph: Photograph,
    language: str,
    size: tuple[int, int],
) -> None:
    telling = TELLINGS[language]
    page = window(size=size, locale=telling.locale)
    name = f"story-{language}-{size[0]}"

    # She signs in, and finds herself before her one agent, which greets her.
    page.goto(f"{server.address}/")
    expect(page).to_have_title(re.compile(telling.title))
    Entrance(page).enter("alice")
    chat = Chat(page, server.address).expect_ready()
    expect(page.locator("#main")).to_contain_text(telling.welcome)
    expect(page.locator("#chat-head")).to_contain_text("AI")
    photograph(page, f"{name}-1-welcome")

    # She says what she wants, and gets a form.
    if telling.suggested:
        page.get_by_role("button", name=telling.wish).click()
    else:
        chat.say(telling.wish)
    expect(chat.users.last).to_contain_text(telling.wish)
    chat.form.expect_state("pending")
    chat.expect_ready()
    expect(chat.tools).to_have_count(1)
    photograph(page, f"{name}-2-form")

    # Sent without a name it stays, says so at the field, and the field has the focus.
    _submit_without_a_name(chat, number=f"{telling.number}{size[0]}")
    photograph(page, f"{name}-3-errors")

    # Filled in, it becomes a message of hers and shrinks to its summary; the student is there.
    chat.form.fill({"name": "张小雨", "phone": "13800002026", "gender": telling.gender})
    chat.form.submit()
    _expect_summary(chat)
    chat.expect_answer(telling.done)
    expect(chat.answer).to_contain_text("张小雨")
    expect(chat.users).to_have_count(2)
    photograph(page, f"{name}-4-done")

    # A reload shows the same.
    shown = chat.shape()
    chat.reload().expect_ready()
    assert chat.shape() == shown
    expect(chat.listed()).to_have_count(1)
    _nothing_sticks_out(page)


def _submit_without_a_name(chat: Chat, *, number: str) -> None:
    chat.form.fill({"studentNo": number})
    chat.form.submit()
    expect(chat.form.error("name")).not_to_be_empty()
    expect(chat.form.control("name")).to_be_focused()
    expect(chat.form.control("studentNo")).to_have_value(number)
    expect(chat.users).to_have_count(1)


def _expect_summary(chat: Chat) -> None:
    chat.form.expect_state("submitted")
    expect(chat.form.card).to_contain_text("张小雨")
    open_fields = chat.form.card.locator("input:visible, textarea:visible, select:visible")
    expect(open_fields).to_have_count(0)


@pytest.mark.req("FORM-10")
def test_the_story_needs_no_mouse(visit: Visit) -> None:
    chat = visit("alice").start("assistant")
    keys = chat.page.keyboard

    # The first stop of Tab leads past the list, to the composer.
    expect(chat.composer).to_be_focused()
    chat.page.evaluate("() => { document.body.tabIndex = -1; document.body.focus() }")
    keys.press("Tab")
    expect(chat.page.locator(".skip-link")).to_be_focused()
    keys.press("Enter")
    expect(chat.composer).to_be_focused()

    keys.type("帮我新增")
    keys.press("Shift+Enter")
    keys.type("一个学生")
    expect(chat.composer).to_have_value("帮我新增\n一个学生")
    keys.press("Enter")
    chat.form.expect_state("pending")
    chat.expect_ready()
    expect(chat.composer).to_be_focused()

    # Backwards into the form, through its fields in their order, and out by Enter.
    for _ in range(30):
        if chat.focused() == "name":
            break
        keys.press("Shift+Tab")
    assert chat.focused() == "name"
    order = [chat.focused()]
    keys.type("王小明")
    for _ in range(3):
        keys.press("Tab")
        order.append(chat.focused())
    names = chat.form.card.locator("[name]").evaluate_all("(all) => all.map((it) => it.name)")
    assert order == names[:4]
    keys.press("Enter")
    chat.form.expect_state("submitted")
    chat.expect_answer("王小明")


def _nothing_sticks_out(page: Page) -> None:
    wide: Any = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, f"the page scrolls sideways by {wide} px"
