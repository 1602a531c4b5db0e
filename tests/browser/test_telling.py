"""What the page tells and shows unasked: that something is done, and where to read on."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import PHONE, Visit
from tests.browser.faults import Faults
from tests.browser.proxy import wire
from tests.browser.test_cuts import LOST
from tests.protocols.model_server import ModelServer
from tests.server import RunningServer

pytestmark = pytest.mark.browser
SMALL = (360, 600)


def test_renaming_and_deleting_say_so(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.say("first")
    chat.expect_answer("好")
    menu, toast = chat.page.locator("#conversation-menu"), chat.page.locator("#toast")
    menu.locator("> summary").click()
    menu.locator("[name=title]").fill("新名字")
    menu.locator("[name=title]").press("Enter")
    expect(toast).to_have_text("会话已重命名。")
    expect(chat.announcer).to_have_text("会话已重命名。")
    expect(chat.listed()).to_have_text("新名字")
    menu.locator("> summary").click()
    menu.locator("details > summary").click()
    menu.get_by_role("button", name="删除这个会话").click()
    expect(chat.page).to_have_url(f"{chat.address}/")
    expect(chat.page.get_by_role("status").filter(has_text="会话已删除。")).to_be_visible()


@pytest.mark.req("FORM-10")
def test_a_tall_form_is_read_from_its_head(visit: Visit) -> None:
    chat = visit("bob", size=SMALL, has_touch=True, is_mobile=True).start("types")
    for _ in range(2):
        if not chat.answers.count():
            chat.say("请开始")
        chat.form.expect_state("pending")
        chat.expect_ready()
        expect(chat.form.card.locator("h3")).to_be_in_viewport()
        expect(chat.form.control("note")).not_to_be_in_viewport()
        chat.reload()
    chat.form.control("note").scroll_into_view_if_needed()
    chat.form.fill({"name": "李四", "note": "备注"})
    chat.form.submit()
    chat.expect_answer("收到了。")
    expect(chat.answer.locator("footer")).to_be_in_viewport()


def test_opened_details_come_into_view(visit: Visit) -> None:
    chat = visit("bob", size=(1024, 420)).start("refused")
    chat.say("加一个学生")
    chat.expect_answer("没有权限。")
    card = chat.tools.first
    card.locator("summary").focus()
    chat.page.keyboard.press("Enter")
    expect(card.locator("[data-slot=arguments]")).to_be_in_viewport(ratio=1)


@pytest.mark.req("RUN-4")
def test_stop_takes_back_what_never_left(
    visit: Visit, server: RunningServer, faults: Faults
) -> None:
    faults.allow(LOST)
    with wire(server.port) as cable:
        chat = visit("bob", address=cable.address).start("told")
        chat.say("first")
        chat.expect_answer("好")
        cable.cut()
        expect(chat.connection).not_to_have_attribute("data-state", "online")
        chat.say("second")
        chat.stop.click()
        chat.expect_ready()
        expect(chat.composer).to_have_value("second")
        expect(chat.users).to_have_count(1)
        expect(chat.page.locator("#composer-hint")).to_have_text("已收回，没有发送。")
        cable.mend()
        expect(chat.connection).to_have_attribute("data-state", "online", timeout=20_000)
        chat.page.wait_for_timeout(300)
        expect(chat.users).to_have_count(1)
        chat.composer.press("Enter")
        expect(chat.answers).to_have_count(2)
        chat.expect_answer("好")


def test_a_phone_says_what_a_phone_can_do(visit: Visit) -> None:
    chat = visit("bob", size=PHONE, has_touch=True, is_mobile=True).start("told")
    expect(chat.connection.locator("[data-slot=text]")).to_be_in_viewport(ratio=1)
    hint = chat.page.locator(".hints")
    expect(hint).not_to_have_text(re.compile("Shift"), use_inner_text=True)
    assert hint.evaluate("(it) => it.getClientRects()[0].height") <= 26


def test_columns_stand_alike_in_stream_and_page(visit: Visit) -> None:
    chat = visit("bob").start("markdown")
    for sides in ("seen", "seen again"):
        if sides == "seen":
            chat.say("学费多少？")
            chat.expect_answer("详见")
        cells = chat.answer.locator("td").evaluate_all(
            "(all) => all.map((it) => getComputedStyle(it).textAlign)"
        )
        assert cells == ["left", "right", "left", "right"], sides
        chat.reload().expect_ready()


@pytest.mark.req("RUN-4")
def test_a_server_that_stands_still_is_not_waited_for(visit: Visit, held: ModelServer) -> None:
    chat = visit("bob")
    frozen: list[bool] = []
    kept: list[Callable[[], None]] = []

    def hand(act: Callable[[], None]) -> None:
        kept.append(act) if frozen else act()

    def between(line: WebSocketRoute) -> None:
        server = line.connect_to_server()
        line.on_message(lambda text: hand(lambda: server.send(text)))
        server.on_message(lambda text: hand(lambda: line.send(text)))

    chat.page.route_web_socket("**/ws/chat/**", between)
    chat.start("told")
    chat.say("hold on")
    expect(chat.answer).to_contain_text("held")
    hint = chat.page.locator("#composer-hint")
    usual = hint.text_content() or ""
    frozen.append(True)
    chat.page.keyboard.press("Escape")
    expect(hint).to_have_text("正在停止…")
    expect(chat.connection).not_to_have_attribute("data-state", "online", timeout=15_000)
    expect(hint).to_have_text(usual)
    expect(chat.stop).to_be_enabled()

    # It goes on: what was asked for is asked once more.
    chat.page.wait_for_timeout(500)
    frozen.clear()
    for act in kept:
        act()
    expect(chat.answer).to_have_attribute("data-status", "cancelled", timeout=20_000)
    chat.expect_ready()
