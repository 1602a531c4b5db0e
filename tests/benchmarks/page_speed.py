"""How quick and how heavy the chat page is in Chromium, as `bin/start` serves it.

    python -m tests.benchmarks.page_speed [ROUNDS]

prints first paint with 200 messages, the page's weight without history, and what a stream of 100
tokens a second costs the page. Run by hand, on an idle machine; raw output in `docs/evidence/`.
"""

import gzip
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

os.environ.setdefault("APP_MODE", "test")
os.environ.setdefault("STEWARD_VAR", tempfile.mkdtemp(prefix="steward-speed-"))

import psutil
from playwright.sync_api import Browser, BrowserContext, Response, expect, sync_playwright

from tests.browser import chromium
from tests.browser.agents import add_agents
from tests.browser.pages import Chat
from tests.protocols.model_server import model_server
from tests.server import RunningServer, manage, seeded
from tests.wire_client import Client

MESSAGES = 200
TOKENS = 1000
PAINT_LIMIT_MS, WEIGHT_LIMIT, CORE_LIMIT = 1000, 120_000, 0.5


class StartedServer(RunningServer):
    """With the files of the page collected, as people get it."""

    command = ("-m", "config.start")


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with model_server() as model, started() as server, browser() as chrome:
        add_agents(server, model.url)
        cookies = Client(server).sign_in("bob").cookies
        say(f"Chromium {chrome.version}, {os.cpu_count()} cores, {rounds} rounds")
        first_paint(chrome, server, cookies, rounds)
        weight(chrome, server, cookies)
        streaming(chrome, server, cookies)


def first_paint(
    chrome: Browser, server: RunningServer, cookies: dict[str, str], rounds: int
) -> None:
    """Nothing cached in the browser; the server has answered once before."""
    conversation = filled_conversation(server)
    answered, painted, whole = [], [], []
    for place in range(rounds + 1):
        page = visitor(chrome, server, cookies).new_page()
        page.goto(f"{server.address}/c/{conversation}/", wait_until="load")
        count = page.locator("#log article.message").count()
        assert count == MESSAGES, count
        times: Any = page.evaluate(TIMES)
        if place:
            answered.append(times["answer"])
            painted.append(times["paint"])
            whole.append(times["load"])
        page.context.close()
    load = os.getloadavg()[0]
    say(f"load of the machine over the last minute: {load:.1f}")
    say(f"whole answer of the server: {spread(answered)} ms")
    say(f"first paint, {MESSAGES} messages: {spread(painted)} ms (limit {PAINT_LIMIT_MS})")
    say(f"load event,  {MESSAGES} messages: {spread(whole)} ms")


TIMES = """() => new Promise((done) => new PerformanceObserver((list) => done({
  paint: list.getEntriesByName('first-contentful-paint')[0].startTime,
  answer: performance.getEntriesByType('navigation')[0].responseEnd,
  load: performance.getEntriesByType('navigation')[0].loadEventEnd,
})).observe({type: 'paint', buffered: true}))"""


def filled_conversation(server: RunningServer) -> str:
    """Half questions, half answers of a screen's length, as if they had been said."""
    code = f"""
from django.utils import timezone
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Conversation, Message
from apps.lib.markdown import render_markdown
from tests.browser.agents import MARKDOWN
bob, agent = User.objects.get(username="bob"), Agent.objects.get(code="markdown")
fields = dict(user=bob, agent=agent, title="long", organisation=bob.organisation)
names = {{f.name for f in Conversation._meta.get_fields()}}
now = timezone.now()
fields |= {{n: now for n in ("created_at", "updated_at", "last_message_at") if n in names}}
one = Conversation.objects.create(**{{k: v for k, v in fields.items() if k in names}})
for n in range({MESSAGES}):
    asked = n % 2 == 0
    text = f"question {{n}}" if asked else MARKDOWN
    Message.objects.create(conversation=one, role="user" if asked else "assistant", content=text,
        html="" if asked else render_markdown(text), created_at=now, agent_version="1")
print(one.pk)
"""
    return manage(server.environment, "shell", "-v", "0", "-c", code).strip().split()[-1]


def weight(chrome: Browser, server: RunningServer, cookies: dict[str, str]) -> None:
    """Every answer of a new conversation's page, as sent and as gzip would send it."""
    context = visitor(chrome, server, cookies)
    page, answers = context.new_page(), list[Response]()
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{server.address}/chat/markdown/", wait_until="networkidle")
    rows: list[tuple[str, int, int, int]] = []
    for answer in answers:
        sizes = answer.request.sizes()
        sent = sizes["responseBodySize"]
        squeezed = len(gzip.compress(answer.body(), 9))
        path = answer.url.removeprefix(server.address).split("?")[0]
        rows.append((path, len(answer.body()), sent, squeezed))
    for path, plain, sent, squeezed in sorted(rows, key=lambda row: -row[2]):
        say(f"  {plain:8d} {sent:8d} {squeezed:8d}  {path}")
    plain, sent, squeezed = (sum(column) for column in zip(*(row[1:] for row in rows), strict=True))
    say(
        f"page weight, {len(rows)} answers: {plain} plain, {sent} as sent, {squeezed} by gzip"
        f" (limit {WEIGHT_LIMIT})"
    )
    context.close()


def streaming(chrome: Browser, server: RunningServer, cookies: dict[str, str]) -> None:
    """Main thread by the browser's own count, and all of the page's process by the system's."""
    context = visitor(chrome, server, cookies)
    chat = Chat(context.new_page(), server.address).start("told")
    devtools = context.new_cdp_session(chat.page)
    devtools.send("Performance.enable")
    chat.say("warm up")
    chat.expect_answer("好")
    before = busy(devtools), renderers(), time.monotonic()
    chat.say(f"count {TOKENS} 0.01")
    expect(chat.answer).to_contain_text(f"词{TOKENS - 1}", timeout=60_000)
    task, process, seconds = (
        now - then
        for now, then in zip((busy(devtools), renderers(), time.monotonic()), before, strict=True)
    )
    say(
        f"stream of {TOKENS} tokens in {seconds:.1f} s: main thread {task / seconds:.2f} of a core,"
        f" renderer process {process / seconds:.2f} (limit {CORE_LIMIT})"
    )
    context.close()


def busy(devtools: Any) -> float:
    metrics = devtools.send("Performance.getMetrics")["metrics"]
    return float({metric["name"]: metric["value"] for metric in metrics}["TaskDuration"])


def renderers() -> float:
    """CPU seconds of every renderer process; those of closed pages are gone."""
    total = 0.0
    for child in psutil.Process().children(recursive=True):
        try:
            if "--type=renderer" in child.cmdline():
                used = child.cpu_times()
                total += used.user + used.system
        except psutil.NoSuchProcess:
            continue
    return total


@contextmanager
def started() -> Iterator[RunningServer]:
    with seeded() as environment:
        server = StartedServer(environment)
        try:
            yield server
        finally:
            server.close()


@contextmanager
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chrome = playwright.chromium.launch(
            executable_path=chromium.program(), args=list(chromium.FLAGS)
        )
        yield chrome
        chrome.close()


def visitor(chrome: Browser, server: RunningServer, cookies: dict[str, str]) -> BrowserContext:
    context = chrome.new_context(viewport={"width": 1440, "height": 900}, locale="zh-CN")
    context.add_cookies(
        [{"name": n, "value": v, "url": server.address} for n, v in cookies.items()]
    )
    return context


def spread(values: list[float]) -> str:
    return f"median {statistics.median(values):.0f}, worst {max(values):.0f}"


def say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
