"""A form that comes again because the business refused it says at which field, and why."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import DESKTOP, ENGLISH, PHONE, Photograph, Visit
from tests.browser.pages import FormCard
from tests.server import RunningServer, manage

pytestmark = [pytest.mark.browser, pytest.mark.req("FORM-10")]
TAKEN = "This student number exists already"
STORED = """
from apps.conversations.models import Message
message = Message.objects.get(conversation_id="{}", role="assistant")
for form in message.metadata["uiForms"]:
    form.update(filled={{"name": "Ann", "age": 12}}, faults={{"name": "No such name"}})
message.save()
"""


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_who_sent_it_goes_on_at_what_is_wrong(
    visit: Visit, photograph: Photograph, size: tuple[int, int]
) -> None:
    chat = visit("alice", size=size, locale=ENGLISH).start("assistant")
    chat.say("Add a student, please")
    chat.form.expect_state("pending")
    chat.expect_ready()
    chat.form.fill({"name": "Ann", "studentNo": "S2026001", "gender": "Female"})
    chat.form.submit()

    cards = chat.page.locator("form.form-card")
    expect(cards).to_have_count(2)
    chat.expect_ready()
    again = FormCard(cards.last)
    expect(again.error("studentNo")).to_have_text(TAKEN)
    expect(again.control("studentNo")).to_have_value("S2026001")
    expect(again.control("studentNo")).to_be_focused()
    expect(again.control("studentNo")).to_be_in_viewport(ratio=1)
    expect(again.control("name")).not_to_have_attribute("aria-invalid", "true")
    expect(again.card.locator("[data-slot=errors]")).to_contain_text("1")
    photograph(chat.page, f"marked-{size[0]}")

    # What is wrong is no longer said of another entry, and nobody is called away from his own.
    again.control("studentNo").fill("S2026555")
    expect(again.control("studentNo")).not_to_have_attribute("aria-invalid", "true")
    expect(again.card.locator("[data-slot=errors]")).to_be_empty()


def test_the_history_says_it_too(visit: Visit, server: RunningServer) -> None:
    chat = visit("bob").start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.expect_ready()
    manage(server.environment, "shell", "-v", "0", "-c", STORED.format(chat.conversation))
    chat.reload().expect_ready()
    expect(chat.form.error("name")).to_have_text("No such name")
    expect(chat.form.control("age")).to_have_value("12")
    expect(chat.form.card.locator("[data-slot=errors]")).not_to_be_empty()
    expect(chat.composer).to_be_focused()

    # Another field is filled in: this one stays as it was refused; then it is changed.
    chat.form.control("age").fill("13")
    chat.reload().expect_ready()
    expect(chat.form.error("name")).to_have_text("No such name")
    chat.form.control("name").fill("Anna")
    chat.reload().expect_ready()
    expect(chat.form.control("name")).to_have_value("Anna")
    expect(chat.form.control("name")).not_to_have_attribute("aria-invalid", "true")
    expect(chat.form.card.locator("[data-slot=errors]")).to_be_empty()
