"""What people and models wrote is text: nothing of it runs, and nobody reads another's drafts.

The agent `unsafe` has a script in every field that reaches the page; `faults` hears of any that
runs, and of any that the content policy had to stop.
"""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.agents import UNSAFE
from tests.browser.conftest import Visit, Window
from tests.browser.pages import Chat, Entrance
from tests.server import RunningServer

pytestmark = pytest.mark.browser
TYPED = '<b>x</b> & "y" &lt;z&gt; 你好'


@pytest.mark.req("RUN-4")
@pytest.mark.spec("S12")
def test_a_stored_script_stays_text_everywhere(visit: Visit) -> None:
    chat = visit("bob").start("unsafe")
    main = chat.page.locator("#main")
    expect(main).to_contain_text(UNSAFE.format("agent"))
    expect(main).to_contain_text(UNSAFE.format("w"))
    chat.say(UNSAFE.format("user"))  # also the conversation's title
    chat.form.expect_state("pending")
    chat.expect_answer("filled")
    _looks_and_touches(chat)
    for text in ("title", "about", "l", "l2", "option"):
        expect(chat.form.card).to_contain_text(UNSAFE.format(text))
    placeholder = chat.form.control("__proto__").get_attribute("placeholder")
    assert placeholder == UNSAFE.format("placeholder")
    chat.reload().expect_ready()
    _looks_and_touches(chat)
    chat.form.fill({"name": UNSAFE.format("v"), "kind": UNSAFE.format("option")})
    chat.form.control("__proto__").fill(UNSAFE.format("proto"))
    chat.form.submit()
    chat.form.expect_state("submitted")
    chat.expect_answer("thanks")
    _looks_and_touches(chat)
    chat.reload().expect_ready()
    _looks_and_touches(chat)
    expect(chat.listed()).to_contain_text("<img")


def _looks_and_touches(chat: Chat) -> None:
    """Every card is opened, every link pointed at; nothing live is in the log."""
    for card in chat.tools.all():
        card.evaluate("(it) => { it.open = true }")
    expect(chat.tools.first).to_contain_text("window.__hit='student'")
    live = "script, iframe, style, svg[onload], .text form, .text input, [onerror], [onmouseover]"
    expect(chat.log.locator(live)).to_have_count(0)
    assert chat.page.evaluate(FOREIGN) == []
    hrefs = chat.log.locator("a").evaluate_all("(all) => all.map((it) => it.protocol)")
    assert set(hrefs) <= {"http:", "https:", "mailto:"}
    for link in chat.log.locator(".text a").all():
        link.hover()


# Images, and whatever else loads by itself from elsewhere.
FOREIGN = """() => [...document.querySelectorAll('[src], [srcset], [data], [poster], [background]')]
  .map((it) => it.currentSrc || it.src || it.data || it.poster || '')
  .filter((url) => url && !url.startsWith(location.origin) && !url.startsWith('data:'))"""


@pytest.mark.parametrize("path", ["/", "/chat/told/"])
def test_the_policy_names_trusted_types(visit: Visit, path: str) -> None:
    chat = visit("bob")
    answer = chat.page.goto(f"{chat.address}{path}")
    assert answer is not None
    policy = answer.headers["content-security-policy"]
    assert "default-src 'self'" in policy
    assert "unsafe" not in policy
    assert "require-trusted-types-for 'script'" in policy


@pytest.mark.case("TEN-014")
def test_markup_that_was_typed_is_shown_as_typed(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.say(TYPED)
    chat.expect_answer("好")
    text = chat.users.last.locator("[data-slot=text]")
    assert text.inner_text().strip() == TYPED
    chat.reload().expect_ready()
    assert text.inner_text().strip() == TYPED


@pytest.mark.case("TEN-009")
def test_a_draft_is_not_shown_to_the_next_person(window: Window, server: RunningServer) -> None:
    page = window()
    page.goto(f"{server.address}/chat/assistant/")
    Entrance(page).enter("alice")
    chat = Chat(page, server.address).expect_ready()
    chat.composer.fill("secret plan")
    page.wait_for_timeout(600)  # for drafts that are kept with a delay
    chat.sign_out()
    kept = "() => JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})"
    assert "secret plan" not in page.evaluate(kept)
    page.go_back()
    expect(page.locator("body")).not_to_contain_text("secret plan")
    assert page.locator("#composer-text:visible").count() == 0
    page.goto(f"{server.address}/chat/assistant/")
    Entrance(page).enter("bob")
    page.goto(f"{server.address}/chat/assistant/")
    expect(chat.expect_ready().composer).to_have_value("")


@pytest.mark.case("DJ-022")
def test_a_page_learns_that_one_signed_out_elsewhere(window: Window, server: RunningServer) -> None:
    page = window()
    page.goto(f"{server.address}/chat/assistant/")
    Entrance(page).enter("alice")
    chat = Chat(page, server.address).expect_ready()
    chat.say("hello")
    chat.expect_answer("demo")
    elsewhere = page.context.new_page()
    elsewhere.goto(page.url)
    Chat(elsewhere, server.address).sign_out()
    page.bring_to_front()
    chat.composer.fill("are you there")
    chat.composer.press("Enter")
    expect(page).to_have_url(re.compile("/accounts/login/"), timeout=35_000)
