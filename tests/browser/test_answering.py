"""What a person can do with an answer, and what the page makes of how a run ends."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ENGLISH, PHONE, Visit
from tests.protocols.model_server import ModelServer

pytestmark = pytest.mark.browser


@pytest.mark.req("RUN-4")
def test_stop_keeps_what_was_said(visit: Visit, held: ModelServer) -> None:
    chat = visit("bob").start("told")
    chat.say("hold on")
    expect(chat.answer).to_contain_text("held")
    expect(chat.send).to_be_hidden()
    expect(chat.composer).to_be_focused()
    chat.stop.click()
    chat.expect_ready()
    expect(chat.answer).to_have_attribute("data-status", "cancelled")
    assert chat.said().strip() == "held"
    chat.reload().expect_ready()
    assert chat.said().strip() == "held"


@pytest.mark.req("RUN-4")
def test_escape_stops_the_answer(visit: Visit, held: ModelServer) -> None:
    chat = visit("bob").start("told")
    chat.say("hold on")
    expect(chat.answer).to_contain_text("held")
    chat.page.keyboard.press("Escape")
    chat.expect_ready()
    expect(chat.answer).to_have_attribute("data-status", "cancelled")
    expect(chat.composer).to_be_focused()


@pytest.mark.case("STR-007")
def test_the_next_message_right_after_stop(visit: Visit, held: ModelServer) -> None:
    chat = visit("bob").start("told")
    chat.say("hold on")
    expect(chat.answer).to_contain_text("held")
    chat.page.keyboard.press("Escape")
    chat.expect_ready()
    chat.say("and now")
    chat.expect_answer("好")
    expect(chat.users).to_have_count(2)
    expect(chat.answers).to_have_count(2)


@pytest.mark.case("STR-026", "STR-022")
def test_a_failed_answer_keeps_its_text_and_offers_retry(visit: Visit) -> None:
    chat = visit("bob", locale=ENGLISH).start("failing")
    chat.say("go")
    expect(chat.problem).to_be_visible()
    chat.expect_ready()
    expect(chat.answer).to_have_attribute("data-status", "failed")
    assert chat.said().strip() == "Par"
    expect(chat.problem).to_contain_text("unavailable at the moment")
    retry = chat.log.locator("[data-action=retry]:visible").last
    shown = chat.shape()
    chat.reload().expect_ready()
    assert chat.shape() == shown

    # A second try takes the place of the failed answer.
    retry.click()
    chat.expect_answer("Recovered at last.")
    expect(chat.answers).to_have_count(1)
    expect(chat.users).to_have_count(1)
    expect(chat.answer).to_have_attribute("data-status", "completed")
    expect(chat.log.locator(".error-card:visible")).to_have_count(0)
    shown = chat.shape()
    chat.reload().expect_ready()
    assert chat.shape() == shown


def test_a_busy_model_is_said_in_plain_words(visit: Visit) -> None:
    chat = visit("alice").start("assistant")
    chat.say("/error 429")
    expect(chat.problem).to_contain_text("模型服务繁忙")
    chat.expect_ready()
    expect(chat.answer).to_have_attribute("data-status", "failed")
    trace = chat.problem.locator("[data-slot=trace-id]")
    expect(trace).not_to_be_empty()


def test_a_message_and_its_code_can_be_copied(visit: Visit) -> None:
    chat = visit("bob").start("markdown")
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.say("学费多少？")
    chat.expect_answer("详见")
    clipboard = "() => navigator.clipboard.readText()"
    chat.answer.hover()
    chat.answer.locator("[data-action=copy]").click()
    chat.page.wait_for_function("async () => (await navigator.clipboard.readText()) !== ''")
    assert chat.page.evaluate(clipboard).startswith("# 学费说明\n")
    chat.answer.locator("pre").hover()
    chat.answer.locator("[data-action=copy-code]").click()
    chat.page.wait_for_function(
        "async () => (await navigator.clipboard.readText()).startsWith('def')"
    )
    assert chat.page.evaluate(clipboard) == "def fee(days: int) -> int:\n    return days * 16\n"


def test_markdown_is_the_same_after_a_reload(visit: Visit) -> None:
    chat = visit("bob").start("markdown")
    chat.say("学费多少？")
    chat.expect_answer("详见")
    text = chat.answer.locator(".text")
    for kind in ("h1, h2, h3, h4", "strong", "em", "ul ul", "table td", "pre code"):
        expect(text.locator(kind).first).to_be_visible()
    link = text.locator("a[href='https://example.com/fees']")
    rel = link.get_attribute("rel") or ""
    assert "noopener" in rel or "noreferrer" in rel
    shown = text.evaluate("(it) => it.innerText")
    chat.reload().expect_ready()
    assert text.evaluate("(it) => it.innerText") == shown


@pytest.mark.case("FORM-005")
def test_one_may_write_after_a_run_with_a_form(visit: Visit) -> None:
    chat = visit("bob").start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.expect_ready()
    chat.reload().expect_ready()
    chat.form.fill({"name": "李四"})
    chat.form.submit()
    chat.expect_answer("收到了。")
    chat.reload().expect_ready()


@pytest.mark.case("FORM-007")
@pytest.mark.req("FORM-10")
def test_corrected_values_leave_no_error_behind(visit: Visit) -> None:
    chat = visit("bob").start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.form.fill({"name": "李四", "age": "99", "note": "备注"})
    chat.form.submit()
    expect(chat.form.error("age")).not_to_be_empty()
    expect(chat.form.control("age")).to_be_focused()
    expect(chat.form.control("name")).to_have_value("李四")
    expect(chat.form.control("note")).to_have_value("备注")
    chat.form.expect_state("pending")
    chat.form.fill({"age": "12"})
    chat.form.submit()
    chat.form.expect_state("submitted")
    chat.expect_answer("收到了。")
    expect(chat.form.card).to_contain_text("12")
    expect(chat.log.locator("[aria-invalid=true]:visible, .error:visible")).to_have_count(0)


@pytest.mark.req("FORM-10")
@pytest.mark.case("FORM-012")
def test_lengths_are_counted_as_the_server_counts(visit: Visit) -> None:
    chat = visit("bob").start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.form.fill({"name": "😀" * 501})
    chat.form.submit()
    expect(chat.form.error("name")).not_to_be_empty()
    chat.form.fill({"name": "😀" * 500})
    chat.form.submit()
    chat.form.expect_state("submitted")


@pytest.mark.req("RUN-4")
def test_enter_while_composing_sends_nothing(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.composer.fill("ni hao")
    chat.composer.evaluate(COMPOSING)
    chat.page.wait_for_timeout(300)
    expect(chat.users).to_have_count(0)
    expect(chat.composer).to_have_value("ni hao")
    chat.composer.press("Enter")
    chat.expect_answer("好")
    expect(chat.users).to_have_count(1)


# Some input methods say `isComposing`, others only the old key code.
COMPOSING = """(box) => {
  for (const how of [{isComposing: true}, {keyCode: 229, which: 229}])
    box.dispatchEvent(new KeyboardEvent('keydown',
      {key: 'Enter', code: 'Enter', bubbles: true, cancelable: true, ...how}))
}"""


@pytest.mark.req("FORM-10")
def test_the_focus_is_never_lost(visit: Visit) -> None:
    chat = visit("bob").start("types")
    chat.page.locator("[data-suggestion]").first.click()
    chat.form.expect_state("pending")
    chat.expect_ready()
    expect(chat.composer).to_be_focused()
    chat.form.fill({"name": "李四"})
    chat.form.submit()
    chat.form.expect_state("submitted")
    chat.expect_answer("收到了。")
    assert chat.focused() != "BODY"


def test_an_empty_message_is_not_sent(visit: Visit) -> None:
    chat = visit("bob").start("told")
    for blank in ("", "   ", "\n\n"):
        chat.composer.fill(blank)
        chat.composer.press("Enter")
    chat.page.wait_for_timeout(200)
    expect(chat.users).to_have_count(0)


@pytest.mark.case("TOOL-013")
def test_a_tool_card_opens_to_what_happened(visit: Visit) -> None:
    chat = visit("bob").start("refused")
    chat.say("加一个学生")
    chat.expect_answer("没有权限。")
    card = chat.tools.first
    expect(card).not_to_have_attribute("open", "")
    expect(card.locator("summary")).to_be_visible()
    card.locator("summary").click()
    expect(card).to_contain_text("S-1")
    expect(card).to_contain_text("权限不足")


def test_only_the_announcer_speaks(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.say("count 20 0.03")
    chat.expect_answer("词19")
    live = chat.page.locator("[aria-live]:not([aria-live=off]), [role=status], [role=alert]")
    ids = live.evaluate_all("(all) => all.filter((it) => it.closest('#log')).length")
    assert ids == 0
    expect(chat.log).to_have_attribute("aria-live", "off")
    expect(chat.announcer).not_to_be_empty()
    assert "词" not in chat.announcer.inner_text()


@pytest.mark.req("RUN-4")
def test_the_drawer_opens_on_a_phone(visit: Visit) -> None:
    chat = visit("bob", size=PHONE).start("told")
    chat.say("first")
    chat.expect_answer("好")
    sidebar, toggle = chat.page.locator("#sidebar"), chat.page.locator("#sidebar-toggle")
    expect(sidebar.locator("nav a").first).not_to_be_in_viewport()
    toggle.click()
    expect(chat.listed()).to_be_in_viewport()
    chat.page.keyboard.press("Escape")
    expect(chat.listed()).not_to_be_in_viewport()
    toggle.click()
    chat.listed().click()
    chat.expect_ready()
    expect(chat.users).to_have_count(1)


def test_nothing_moves_for_those_who_ask(visit: Visit, held: ModelServer) -> None:
    chat = visit("bob", reduced_motion="reduce").start("told")
    chat.say("hold on")
    expect(chat.answer).to_contain_text("held")
    moving = chat.page.evaluate(
        "() => document.getAnimations().filter((it) => it.playState === 'running').length"
    )
    assert moving == 0
