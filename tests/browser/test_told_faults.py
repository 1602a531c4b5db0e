"""What was wrong with a student, in the reader's words: on card, in answer, at the field."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, ENGLISH, Photograph, Visit
from tests.browser.pages import FormCard

pytestmark = [pytest.mark.browser, pytest.mark.req("FORM-10")]
HAN = re.compile(r"[\u4e00-\u9fff]+")
RULE = "A phone number has 11 digits and starts with 1"


def test_a_fault_is_told_in_the_readers_words(visit: Visit, photograph: Photograph) -> None:
    chat = visit("alice", size=DESKTOP, locale=ENGLISH).start("assistant")
    chat.say("Add a student named Otto, phone=12")
    card = FormCard(chat.page.locator("form.form-card").last)
    expect(card.error("phone")).to_have_text(RULE)
    chat.expect_ready()
    expect(card.control("name")).to_have_value("Otto")
    expect(card.control("phone")).to_have_value("12")
    expect(chat.answer).to_contain_text(f"phone: {RULE}")
    expect(chat.answer).to_contain_text("Please correct what is marked.")
    chat.page.locator("details.tool summary").first.click()
    expect(chat.page.locator("details.tool").first).to_contain_text(f"Phone: {RULE}")
    photograph(chat.page, "told-faults")
    assert HAN.findall(chat.page.locator("#log").inner_text()) == []
