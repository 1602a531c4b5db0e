"""The pages as a person sees them: where things are, and what is done with them.

What a page holds for scripts and styles is the contract of `docs/design.md`; tests name nothing
else of it.
"""

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.server import PASSWORD

BUSY = re.compile("pending")


class Entrance:
    """The sign-in page."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def enter(self, username: str, password: str = PASSWORD) -> None:
        self.page.locator("[name=username]").fill(username)
        self.page.locator("[name=password]").fill(password)
        self.page.locator("main form button:not([name])").first.click()


class FormCard:
    """One form in the log."""

    def __init__(self, card: Locator) -> None:
        self.card = card

    def control(self, name: str) -> Locator:
        return self.card.locator(f'[name="{name}"]')

    def error(self, name: str) -> Locator:
        """What is wrong with the field, as its control refers to it."""
        control = self.control(name)
        expect(control).to_have_attribute("aria-invalid", "true")
        named = (control.get_attribute("aria-describedby") or "").split()
        texts = self.card.locator(", ".join(f'[id="{id_}"]' for id_ in named))
        return texts.and_(self.card.locator("[data-slot=error]"))

    def fill(self, values: dict[str, Any]) -> None:
        for name, value in values.items():
            control = self.control(name)
            match control.evaluate("(it) => it.type || it.tagName"):
                case "select-one":
                    control.select_option(label=value)
                case "checkbox":
                    control.set_checked(value)
                case _:
                    control.fill(value)

    def submit(self) -> None:
        self.card.locator('button[type=submit], [data-slot="submit"]').first.click()

    def expect_state(self, state: str) -> None:
        expect(self.card).to_have_attribute("data-state", state)


class Chat:
    """The chat page."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.address = address
        self.composer = page.locator("#composer-text")
        self.send = page.locator("#send")
        self.stop = page.locator("#stop")
        self.log = page.locator("#log")
        self.messages = self.log.locator("article.message:visible")
        self.announcer = page.locator("#announcer")
        self.connection = page.locator("#connection")

    # Coming and going

    def start(self, agent: str) -> "Chat":
        self.page.goto(f"{self.address}/chat/{agent}/")
        return self.expect_ready()

    def open(self, conversation: str) -> "Chat":
        self.page.goto(f"{self.address}/c/{conversation}/")
        return self.expect_scripts()

    def reload(self) -> "Chat":
        self.page.reload()
        return self.expect_scripts()

    def expect_scripts(self) -> "Chat":
        expect(self.page.locator("body")).to_have_attribute("data-ready", "")
        return self

    @property
    def conversation(self) -> str:
        """The id, out of the address."""
        expect(self.page).to_have_url(re.compile("/c/[0-9A-Za-z]+/"))
        return self.page.url.split("/c/")[1].split("/")[0]

    # Saying things

    def say(self, text: str) -> None:
        self.composer.fill(text)
        self.composer.press("Enter")
        expect(self.users.last).to_contain_text(text)

    def expect_ready(self) -> "Chat":
        """The scripts are there, nothing runs, and one may write."""
        self.expect_scripts()
        expect(self.send).to_be_visible()
        expect(self.stop).to_be_hidden()
        expect(self.composer).to_be_editable()
        return self

    def expect_answer(self, text: str | re.Pattern[str], timeout: float = 15_000) -> None:
        """The last answer is whole, holds this, and one may go on."""
        expect(self.answer).to_contain_text(text, timeout=timeout)
        expect(self.answer).not_to_have_attribute("data-status", BUSY, timeout=timeout)
        self.expect_ready()

    # What is in the log

    @property
    def users(self) -> Locator:
        return self.log.locator('article.message[data-role="user"]:visible')

    @property
    def answers(self) -> Locator:
        return self.log.locator('article.message[data-role="assistant"]:visible')

    @property
    def answer(self) -> Locator:
        return self.answers.last

    @property
    def form(self) -> FormCard:
        return FormCard(self.log.locator(".form-card").last)

    @property
    def tools(self) -> Locator:
        return self.log.locator("details.tool")

    @property
    def problem(self) -> Locator:
        return self.log.locator(".error-card").last

    def said(self, message: Locator | None = None) -> str:
        """The text of an answer, without cards and buttons."""
        parts = (message or self.answer).locator(".text").all_inner_texts()
        return "\n".join(parts)

    def shape(self) -> list[list[str]]:
        """Every message with its parts in order: what must be the same after a reload."""
        found: list[list[str]] = self.log.evaluate(SHAPE)
        return found

    # Around the log

    def sign_out(self) -> None:
        self.page.locator("#user-menu > summary").click()
        self.page.locator('#user-menu form[action="/accounts/logout/"] button').click()
        expect(self.page).to_have_url(re.compile("/accounts/login/"))

    def listed(self) -> Locator:
        """This conversation in the list."""
        return self.page.locator(f'a[data-conversation="{self.conversation}"]')

    def focused(self) -> str:
        """Id or name of what has the focus."""
        return str(
            self.page.evaluate(
                "() => { const it = document.activeElement; return it.name || it.id || it.tagName }"
            )
        )


# Times and durations are left out: the page and the server may round them at different moments.
SHAPE = """(log) => {
  const parts = '.bubble, .text, details.tool, .form-card, .error-card'
  const plain = (part) => part.textContent.trim().replace(/\\s+/g, ' ')
  const told = (part) =>
    part.matches('details.tool') ? `tool ${part.dataset.state}`
    : part.matches('.form-card') ? `form ${part.dataset.state} ${plain(part)}`
    : part.matches('.error-card') ? 'error'
    : `text ${part.innerText.trim()}`
  return [...log.querySelectorAll('article.message')]
    .filter((message) => message.checkVisibility())
    .map((message) => [message.dataset.role, message.dataset.status,
      ...[...message.querySelectorAll(parts)].map(told)])
}"""
