"""What goes wrong in a page although nobody asked: errors, refused scripts, broken answers."""

import re

from playwright.sync_api import BrowserContext, ConsoleMessage, Response, WebError

# Runs before the page's own scripts: a refusal by the content policy is an error in the console,
# and so is a stored script that ran (`__hit` is what the payloads of `test_inert` set).
WATCH = """
document.addEventListener('securitypolicyviolation', (event) => console.error(
  `policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile} ${event.sample}`));
Object.defineProperty(window, '__hit', {set(how) { console.error(`a stored script ran: ${how}`) }});
"""


class Faults:
    """Kept for all pages of a test; a test that brings one about says so with `allow`."""

    def __init__(self) -> None:
        self._seen: list[str] = []
        self._allowed: list[str] = []

    def watch(self, context: BrowserContext) -> None:
        context.add_init_script(WATCH)
        context.on("console", self._console)
        context.on("weberror", self._error)
        context.on("response", self._response)

    def allow(self, pattern: str) -> None:
        self._allowed.append(pattern)

    def found(self) -> list[str]:
        return [
            fault
            for fault in self._seen
            if not any(re.search(pattern, fault) for pattern in self._allowed)
        ]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            where = message.location
            self._seen.append(f"{message.text} ({where['url']}:{where['lineNumber']})")

    def _error(self, error: WebError) -> None:
        self._seen.append(f"uncaught: {error.error}")

    def _response(self, response: Response) -> None:
        if response.status >= 500:
            self._seen.append(f"{response.status} {response.url}")
