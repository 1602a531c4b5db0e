"""Whatever is cut, nothing said is lost or doubled, and nothing typed is."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Visit
from tests.browser.faults import Faults
from tests.browser.pages import Chat
from tests.browser.proxy import Wire, wire
from tests.protocols.model_server import ModelServer
from tests.server import RunningServer
from tests.wire_client import Client

pytestmark = pytest.mark.browser
LOST = r"WebSocket|ERR_CONNECTION|ERR_EMPTY_RESPONSE|Failed to fetch|net::"


def counted(number: int) -> str:
    """What the model says to `count N SECONDS`."""
    return " ".join(f"词{place}" for place in range(number))


@pytest.fixture
def cable(server: RunningServer) -> Iterator[Wire]:
    with wire(server.port) as made:
        yield made


@pytest.mark.req("RUN-4")
@pytest.mark.case("STR-001", "STR-012")
def test_a_reload_in_mid_stream_loses_nothing(visit: Visit) -> None:
    chat = visit("bob").start("told")
    chat.say("count 40 0.05")
    expect(chat.answer).to_contain_text("词5")
    chat.reload()
    expect(chat.users).to_have_count(1)
    expect(chat.stop).to_be_visible()
    chat.expect_answer("词39")
    assert chat.said().split() == counted(40).split()
    expect(chat.answers).to_have_count(1)


@pytest.mark.req("FORM-10")
def test_a_reload_keeps_what_was_typed(visit: Visit) -> None:
    chat = visit("bob").start("types")
    chat.say("请开始")
    chat.form.expect_state("pending")
    chat.expect_ready()
    typed = {"name": "李四", "age": "12", "note": "两行\n备注", "grade": "四年级"}
    chat.form.fill(typed)
    chat.form.control("boarding").check()
    chat.composer.fill("还没发出的话")
    chat.reload().expect_ready()
    assert chat.form.control("name").input_value() == "李四"
    assert chat.form.control("age").input_value() == "12"
    assert chat.form.control("note").input_value() == "两行\n备注"
    expect(chat.form.control("grade").locator("option:checked")).to_have_text("四年级")
    expect(chat.form.control("boarding")).to_be_checked()
    expect(chat.composer).to_have_value("还没发出的话")


@pytest.mark.req("RUN-4", "FORM-10")
@pytest.mark.case("STR-012", "DJ-007", "DJ-008")
def test_a_cut_connection_goes_on_by_itself(visit: Visit, cable: Wire, faults: Faults) -> None:
    faults.allow(LOST)
    chat = visit("bob", address=cable.address).start("told")
    chat.say("count 60 0.05")
    expect(chat.answer).to_contain_text("词5")
    for place in (15, 30):
        cable.cut()
        expect(chat.connection).not_to_have_attribute("data-state", "online")
        chat.composer.fill("typed while away")
        chat.page.wait_for_timeout(300)  # words that only the log keeps
        cable.mend()
        expect(chat.connection).to_have_attribute("data-state", "online")
        expect(chat.answer).to_contain_text(f"词{place}")
    expect(chat.composer).to_have_value("typed while away")
    chat.expect_answer("词59")
    assert chat.said().split() == counted(60).split()
    expect(chat.answers).to_have_count(1)


@pytest.mark.req("RUN-4")
def test_a_message_sent_while_cut_is_not_lost(visit: Visit, cable: Wire, faults: Faults) -> None:
    faults.allow(LOST)
    chat = visit("bob", address=cable.address).start("told")
    chat.say("first")
    chat.expect_answer("好")
    cable.cut()
    expect(chat.connection).not_to_have_attribute("data-state", "online")
    chat.composer.fill("second")
    chat.composer.press("Enter")
    chat.page.wait_for_timeout(300)
    cable.mend()
    expect(chat.connection).to_have_attribute("data-state", "online")
    # Either it was sent by itself, or it still stands in the composer; never both, never neither.
    if chat.composer.input_value():
        expect(chat.composer).to_have_value("second")
        chat.composer.press("Enter")
    expect(chat.users).to_have_count(2)
    expect(chat.answers).to_have_count(2)
    chat.expect_answer("好")
    expect(chat.composer).to_have_value("")


@pytest.mark.fault
@pytest.mark.req("RUN-4")
def test_a_killed_server_is_found_again(
    visit: Visit, mortal: RunningServer, faults: Faults
) -> None:
    faults.allow(LOST)
    page = visit("alice").page
    known = Client(mortal).sign_in("alice").cookies
    page.context.add_cookies(
        [{"name": n, "value": v, "url": mortal.address} for n, v in known.items()]
    )
    chat = Chat(page, mortal.address).start("assistant")
    chat.say("/slow hello, who are you, and what can you do for me today")
    expect(chat.answer).to_contain_text("demo")
    mortal.close()
    expect(chat.connection).not_to_have_attribute("data-state", "online")
    again = RunningServer(mortal.environment, "--port", str(mortal.port))
    try:
        expect(chat.connection).to_have_attribute("data-state", "online", timeout=40_000)
        # The run died with its host: once its lease is over the page learns that, and of the retry.
        expect(chat.problem).to_be_visible(timeout=60_000)
        assert chat.said().count("This is") == 1
        chat.expect_ready()
        shown = chat.shape()
        chat.reload().expect_ready()
        assert chat.shape() == shown
        chat.say("/slow hello")
        chat.expect_answer("version")
    finally:
        again.close()


@pytest.fixture
def mortal() -> Iterator[RunningServer]:
    """A server of its own, for a test that kills it."""
    from tests.server import running  # noqa: PLC0415

    with running() as served:
        yield served


@pytest.mark.req("RUN-4")
@pytest.mark.case("STR-030")
def test_two_tabs_show_the_same(visit: Visit, held: ModelServer) -> None:
    one = visit("bob").start("told")
    one.say("first")
    one.expect_answer("好")
    two = Chat(one.page.context.new_page(), one.address).open(one.conversation).expect_ready()
    one.say("hold on")
    expect(two.users).to_have_count(2)
    expect(two.answer).to_contain_text("held")
    expect(two.stop).to_be_visible()
    held.release.set()
    for chat in (one, two):
        chat.expect_answer("released")
    assert one.shape() == two.shape()
    two.say("third")
    expect(one.users).to_have_count(3)
    one.expect_answer("好")
    assert one.shape() == two.shape()


@pytest.mark.case("STR-002", "STR-023")
def test_parts_keep_their_order_after_a_reload(visit: Visit) -> None:
    chat = visit("bob").start("steps")
    chat.say("go")
    chat.expect_answer("C")
    shown = chat.shape()
    kinds = [re.sub(r" .*", "", part) for part in shown[-1][2:]]
    assert kinds == ["text", "tool", "text", "tool", "text"]
    chat.reload().expect_ready()
    assert chat.shape() == shown


@pytest.mark.case("STR-012")
def test_finished_steps_stay_after_stop_and_reload(visit: Visit) -> None:
    chat = visit("bob").start("slow-steps")
    chat.say("go")
    expect(chat.answer).to_contain_text("w3")
    chat.reload()
    expect(chat.tools).to_have_count(2)
    expect(chat.answer).to_contain_text("Second")
    chat.stop.click()
    chat.expect_ready()
    expect(chat.answer).to_have_attribute("data-status", "cancelled")
    shown = chat.shape()
    assert [part.split()[0] for part in shown[-1][2:]] == ["text", "tool", "text", "tool", "text"]
    chat.reload().expect_ready()
    assert chat.shape() == shown
