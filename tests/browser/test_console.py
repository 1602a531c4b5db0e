"""The console's pages: nothing sticks out at any size, axe finds nothing serious."""

import re

import pytest

from tests.browser.conftest import ENGLISH, LOOKS, Photograph, Visit, serious
from tests.browser.console import TRACE, add_rows
from tests.server import RunningServer

pytestmark = pytest.mark.browser
ADDRESSES = {
    "home": "/admin/",
    "trace": f"/admin/audit/trace/{TRACE}/",
    "entries": "/admin/audit/auditentry/",
    "export": "/admin/audit/auditentry/export/",
    "events": "/admin/audit/securityevent/",
    "changes": "/admin/audit/configauditlog/",
    "letters": "/admin/audit/deadletter/",
    "letter": "/admin/audit/deadletter/1/change/",
    "replay": "/admin/audit/deadletter/1/replay/",
    "alerts": "/admin/audit/alert/",
    "alert": "/admin/audit/alert/1/change/",
    "resolve": "/admin/audit/alert/1/resolve/",
    "tasks": "/admin/audit/admintask/",
    "quotas": "/admin/tools/quota/",
    "quota": "/admin/tools/quota/1/change/",
    "switches": "/admin/tools/switch/",
    "switch-off": "/admin/tools/switch/add/?kind=tool&key=render_form",
    "rules": "/admin/audit/sanitizerrule/",
    "rule": "/admin/audit/sanitizerrule/add/",
    "try": "/admin/audit/sanitizerrule/try/",
    "catalogue": "/admin/tools/catalogue/",
    "tool": "/admin/tools/catalogue/create_student/",
    "runs": "/admin/tools/toolrun/",
}
HAN = re.compile("[\u4e00-\u9fff]")
# What a page says by itself: without what it quotes.
WORDS = """() => {
  const page = document.body.cloneNode(true)
  const quotes = 'pre, code, script, style, #id_organisation'
  page.querySelectorAll(quotes).forEach((quoted) => quoted.remove())
  return page.textContent.split('\\n').map((line) => line.trim()).filter(Boolean)
}"""


@pytest.fixture(scope="module", autouse=True)
def rows(server: RunningServer) -> None:
    add_rows(server)


@pytest.mark.parametrize("how", LOOKS)
def test_every_page_holds_together(visit: Visit, photograph: Photograph, how: str) -> None:
    size, scheme, locale = LOOKS[how]
    chat = visit("admin", size=size, color_scheme=scheme, locale=locale)
    page = chat.page
    faults = []
    for name, address in ADDRESSES.items():
        page.goto(f"{chat.address}{address}")
        photograph(page, f"console-{name}-{how}")
        wide = page.evaluate("() => document.documentElement.scrollWidth - innerWidth")
        faults += [f"{name}: {wide} px too wide"] if wide > 0 else []
        faults += [f"{name}: {found}" for found in serious(page, preload=False)]
        if locale == ENGLISH:
            faults += [f"{name}: {line}" for line in page.evaluate(WORDS) if HAN.search(line)]
    assert faults == []
