"""One browser and one server for the session; people with windows of their own for each test."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser import chromium as program
from tests.browser.agents import add_agents
from tests.browser.faults import Faults
from tests.browser.pages import Chat
from tests.protocols.model_server import ModelServer, model_server
from tests.server import RunningServer, running
from tests.wire_client import Client

DESKTOP, TABLET, PHONE = (1440, 900), (820, 1180), (390, 844)
CHINESE, ENGLISH = "zh-CN", "en-US"
expect.set_options(timeout=10_000)


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    if faults := program.missing():
        pytest.fail("\n".join(faults))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=program.program(), args=list(program.FLAGS)
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def model() -> Iterator[ModelServer]:
    """A model that does what the last user message says; agent `told` asks it."""
    with model_server() as served:
        yield served


@pytest.fixture(scope="session")
def server(model: ModelServer) -> Iterator[RunningServer]:
    """The product on the demo model, and the agents of these tests."""
    with running() as served:
        add_agents(served, model.url)
        yield served


@pytest.fixture(scope="session")
def cookies(server: RunningServer) -> Callable[[str], dict[str, str]]:
    """The cookies of a person, who signs in once for all tests."""
    kept: dict[str, dict[str, str]] = {}

    def of(username: str) -> dict[str, str]:
        if username not in kept:
            kept[username] = Client(server).sign_in(username).cookies
        return kept[username]

    return of


@pytest.fixture
def faults() -> Iterator[Faults]:
    """Checked at the end of the test, when all windows are closed."""
    watched = Faults()
    yield watched
    assert watched.found() == []


Window = Callable[..., Page]


@pytest.fixture
def window(chromium: Browser, faults: Faults) -> Iterator[Window]:
    """A new window of its own: `window(size=PHONE, locale=ENGLISH, color_scheme="dark")`."""
    opened = []

    def open_window(size: tuple[int, int] = DESKTOP, locale: str = CHINESE, **options: Any) -> Page:
        viewport: Any = {"width": size[0], "height": size[1]}
        context = chromium.new_context(viewport=viewport, locale=locale, **options)
        context.set_default_timeout(10_000)
        faults.watch(context)
        opened.append(context)
        return context.new_page()

    yield open_window
    for context in opened:
        context.close()


Visit = Callable[..., Chat]


@pytest.fixture
def visit(window: Window, server: RunningServer, cookies: Any) -> Visit:
    """A signed-in person's window: `visit("bob").start("types")`."""

    def come(username: str, *, address: str = "", **options: Any) -> Chat:
        page = window(**options)
        known = cookies(username).items()
        page.context.add_cookies([{"name": n, "value": v, "url": server.address} for n, v in known])
        return Chat(page, address or server.address)

    return come


@pytest.fixture
def held(model: ModelServer) -> Iterator[ModelServer]:
    """The model, in whose answers `hold` waits until the test ends or releases it."""
    model.release.clear()
    yield model
    model.release.set()


Photograph = Callable[[Page, str], None]


@pytest.fixture
def photograph(request: pytest.FixtureRequest) -> Photograph:
    """Takes a picture into the folder of `--screens`, if that is given."""
    folder = request.config.getoption("--screens")

    def take(page: Page, name: str) -> None:
        if folder:
            Path(folder).mkdir(parents=True, exist_ok=True)
            page.screenshot(path=Path(folder) / f"{name}.png", animations="disabled")

    return take


Look = Callable[[Page, str], None]
LOOKS = {
    "desktop": (DESKTOP, "light", CHINESE),
    "desktop-dark": (DESKTOP, "dark", ENGLISH),
    "tablet": (TABLET, "light", ENGLISH),
    "phone": (PHONE, "light", ENGLISH),
    "phone-dark": (PHONE, "dark", CHINESE),
}


@pytest.fixture(params=LOOKS)
def options(request: pytest.FixtureRequest) -> dict[str, object]:
    size, scheme, locale = LOOKS[request.param]
    return {"size": size, "color_scheme": scheme, "locale": locale}


@pytest.fixture
def look(request: pytest.FixtureRequest, photograph: Photograph) -> Look:
    """Photographs the page, and holds it to what every page must be."""
    how = request.node.callspec.params["options"]

    def at(page: Page, name: str) -> None:
        photograph(page, f"{name}-{how}")
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        assert wide <= 0, f"{name} scrolls sideways by {wide} px"
        assert serious(page) == []

    return at


def serious(page: Page, *, preload: bool = True) -> list[str]:
    """What axe calls serious or critical, with where.

    `preload`: axe reads what sheets import, for which it adds a style that our policy refuses.
    """
    violations = Axe().run(page, options={"preload": preload}).response["violations"]
    return [
        f"{found['id']}: {node['target']} {node['failureSummary']}"
        for found in violations
        if found["impact"] in ("serious", "critical")
        for node in found["nodes"]
    ]
