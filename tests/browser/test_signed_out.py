"""Whoever is signed out while writing finds what he wrote when he is signed in again."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Window
from tests.browser.faults import Faults
from tests.browser.pages import Chat, Entrance
from tests.browser.test_cuts import LOST
from tests.server import RunningServer, manage

pytestmark = pytest.mark.browser
SIGN_IN = re.compile("/accounts/login/")
EXPIRE = """
from django.contrib.sessions.models import Session
Session.objects.filter(pk="{}").delete()
"""


@pytest.fixture
def page(window: Window, server: RunningServer, faults: Faults) -> Page:
    """Bob, signed in for this test alone."""
    faults.allow(LOST)
    faults.allow("401")
    page = window()
    page.goto(f"{server.address}/")
    Entrance(page).enter("bob")
    expect(page).not_to_have_url(SIGN_IN)
    return page


def _expire(page: Page, server: RunningServer) -> None:
    cookies = {cookie["name"]: cookie["value"] for cookie in page.context.cookies()}
    code = EXPIRE.format(cookies["sessionid"])
    manage(server.environment, "shell", "-v", "0", "-c", code)


def _again(page: Page) -> None:
    expect(page).to_have_url(SIGN_IN)
    Entrance(page).enter("bob")
    expect(page).not_to_have_url(SIGN_IN)


@pytest.mark.req("RUN-4")
def test_a_message_to_an_expired_session_is_kept(page: Page, server: RunningServer) -> None:
    chat = Chat(page, server.address).start("told")
    chat.say("first")
    chat.expect_answer("好")
    _expire(page, server)
    chat.composer.fill("what I wanted to say")
    chat.composer.press("Enter")
    _again(page)
    chat.expect_ready()
    expect(chat.composer).to_have_value("what I wanted to say")
    expect(chat.users).to_have_count(1)


@pytest.mark.req("RUN-4")
def test_the_first_message_to_an_expired_session_is_kept(page: Page, server: RunningServer) -> None:
    chat = Chat(page, server.address).start("told")
    _expire(page, server)
    chat.composer.fill("my very first")
    chat.composer.press("Enter")
    _again(page)
    expect(page).to_have_url(f"{server.address}/chat/told/")
    expect(chat.expect_ready().composer).to_have_value("my very first")


@pytest.mark.req("RUN-4")
def test_what_is_typed_after_a_sign_out_elsewhere_is_kept(
    page: Page, server: RunningServer
) -> None:
    chat = Chat(page, server.address).start("told")
    chat.say("first")
    chat.expect_answer("好")
    chat.composer.fill("before")
    other = Chat(page.context.new_page(), server.address).start("told")
    other.sign_out()
    chat.composer.fill("afterwards")
    chat.composer.press("Enter")
    _again(page)
    expect(chat.expect_ready().composer).to_have_value("afterwards")


@pytest.mark.req("FORM-10")
def test_a_form_sent_after_a_sign_out_elsewhere_is_kept(page: Page, server: RunningServer) -> None:
    chat = Chat(page, server.address).start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.expect_ready()
    chat.form.fill({"name": "李四", "age": "12"})
    other = Chat(page.context.new_page(), server.address).start("told")
    other.sign_out()
    chat.form.submit()
    _again(page)
    chat.expect_ready()
    chat.form.expect_state("pending")
    expect(chat.form.control("name")).to_have_value("李四")
    expect(chat.form.control("age")).to_have_value("12")


def test_another_language_does_not_lead_out_of_a_fresh_conversation(
    page: Page, server: RunningServer
) -> None:
    chat = Chat(page, server.address).start("told")
    chat.say("first")
    chat.expect_answer("好")
    address = page.url
    page.get_by_role("button", name="English").click()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    expect(page).to_have_url(address)
    expect(chat.expect_ready().users).to_have_count(1)


def test_a_wrong_password_is_typed_anew(window: Window, server: RunningServer) -> None:
    page = window()
    page.goto(f"{server.address}/accounts/login/")
    expect(page.locator("[name=username]")).to_be_focused()
    Entrance(page).enter("bob", "not this")
    expect(page.get_by_role("alert")).to_be_visible()
    expect(page.locator("[name=password]")).to_be_focused()
