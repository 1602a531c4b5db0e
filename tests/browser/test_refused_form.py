"""A form that the business refused comes again filled in, and nothing of ours is Chinese."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, ENGLISH, Photograph, Window
from tests.browser.pages import Chat, Entrance
from tests.server import RunningServer

pytestmark = pytest.mark.browser
HAN = re.compile(r"[\u4e00-\u9fff]+")


@pytest.mark.req("FORM-10")
def test_a_refused_form_comes_again_filled_in(
    window: Window, server: RunningServer, photograph: Photograph
) -> None:
    page = window(size=DESKTOP, locale=ENGLISH)
    page.goto(f"{server.address}/")
    Entrance(page).enter("alice")
    chat = Chat(page, server.address).expect_ready()
    photograph(page, "refused-1-welcome")
    page.get_by_role("button", name="Add a student").click()
    chat.form.expect_state("pending")
    chat.expect_ready()
    chat.form.fill({"name": "Ann", "studentNo": "S2026001", "gender": "Female"})
    chat.form.submit()

    # The answer names the field, and the form stands there again with what was filled in.
    expect(page.locator("form.form-card")).to_have_count(2)
    chat.expect_ready()
    expect(chat.answer).to_contain_text("student no: This student number exists already")
    expect(chat.users.last).to_contain_text("Submitted “Create student”: Name: Ann;")
    form = page.locator("form.form-card").last
    expect(form.locator("[name=name]")).to_have_value("Ann")
    expect(form.locator("[name=studentNo]")).to_have_value("S2026001")
    expect(form.locator("[name=gender]")).to_have_value('"female"')
    photograph(page, "refused-2-again")
    shown = chat.shape()
    chat.reload().expect_ready()
    assert chat.shape() == shown
    expect(form.locator("[name=name]")).to_have_value("Ann")
    for card in page.locator("details.tool").all():
        card.locator("summary").click()
    photograph(page, "refused-3-reloaded")
    assert HAN.findall(page.locator("#log").inner_text()) == []

    # Mended, it goes through.
    form.locator("[name=studentNo]").fill("S2026777")
    form.locator("[data-action=submit]").click()
    chat.expect_answer("Created student")
