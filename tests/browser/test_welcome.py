"""The first look at an agent, whatever its owner wrote and however narrow the screen."""

import pytest
from playwright.sync_api import expect

from tests.browser.agents import LONG
from tests.browser.conftest import DESKTOP, ENGLISH, PHONE, Photograph, Visit
from tests.browser.faults import Faults

pytestmark = pytest.mark.browser


@pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
def test_a_long_suggestion_stays_in_the_page(
    visit: Visit, photograph: Photograph, size: tuple[int, int]
) -> None:
    page = visit("bob", size=size).start("thinking").page
    photograph(page, f"welcome-{size[0]}")
    log = page.locator("#log").bounding_box()
    assert log
    shown = page.locator("#welcome > *, #welcome button").all()
    assert len(shown) == 5
    for part in shown:
        box = part.bounding_box()
        assert box
        assert box["x"] >= log["x"], part
        assert box["x"] + box["width"] <= log["x"] + log["width"], part
    expect(page.get_by_role("button", name=LONG)).to_be_in_viewport(ratio=1)


def test_a_phone_shows_the_name_of_the_agent(visit: Visit, photograph: Photograph) -> None:
    page = visit("alice", size=PHONE, locale=ENGLISH).start("assistant").page
    photograph(page, "welcome-phone-en")
    heading = page.get_by_role("heading", level=1)
    whole = "(it) => it.scrollWidth <= it.clientWidth && it.scrollHeight <= it.clientHeight"
    assert heading.evaluate(whole)


def test_icons_of_the_first_look_need_no_sprite(
    visit: Visit, photograph: Photograph, faults: Faults
) -> None:
    """The agent's too, whose name is none of ours: a common one stands for it."""
    faults.allow("net::ERR_FAILED")
    chat = visit("bob", size=PHONE)
    chat.page.route("**/sprite*.svg", lambda route: route.abort())
    chat.start("thinking")
    photograph(chat.page, "welcome-no-sprite")
    for place in ("#sidebar-toggle", "#send", ".agent-icon"):
        drawn = chat.page.locator(f"{place} svg path").first
        assert drawn.evaluate("(it) => it.getBoundingClientRect().width > 2"), place
