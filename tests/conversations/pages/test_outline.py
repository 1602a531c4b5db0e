"""What a screen reader walks by: headings, landmarks, labels, one live region; both languages."""

import re
from itertools import pairwise
from pathlib import Path

import pytest
from django.test import Client
from django.utils import translation

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Conversation
from apps.conversations.pages.texts import client_texts
from tests.conversations.pages.conftest import See, answer, ask, form_in
from tests.conversations.pages.markup import Node, parse

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[3]
HAN = re.compile(r"[\u4e00-\u9fff]")
NAMES = ("aria-label", "title", "placeholder")


@pytest.fixture(params=["/", "/chat/assistant/", "conversation", "older"])
def path(request: pytest.FixtureRequest, conversation: Conversation) -> str:
    one = f"/c/{conversation.pk}/"
    asked = ask(conversation)
    answer(conversation, ("## Found\n\nTwo.", [{}]), asked=asked)
    answer(conversation, ("", []), status="failed", error_code="model_timeout")
    last = form_in(conversation)
    named = {"conversation": one, "older": f"{one}?before={last.pk + 1}"}
    return named.get(str(request.param), str(request.param))


@pytest.mark.req("FORM-10")
def test_everything_that_acts_has_a_name(see: See, path: str) -> None:
    page = see(path)
    labels = {label.get("for") for label in page.all("label", templates=True)}
    for node in page.all():
        if node.tag in {"a", "button", "summary"}:
            assert node.text or node.get("aria-label"), node.attributes
        elif node.tag in {"input", "textarea", "select"} and node.get("type") != "hidden":
            assert node.get("id") in labels, node.attributes


def test_ids_are_given_once(see: See, path: str) -> None:
    ids = [node.get("id") for node in see(path).all(templates=True) if node.get("id") is not None]
    assert sorted(set(filter(None, ids))) == sorted(filter(None, ids))
    assert "" not in ids


def test_landmarks_and_headings_stand(see: See, path: str) -> None:
    page = see(path)
    assert len(page.all("main")) == len(page.all("aside")) == len(page.all("h1")) == 1
    for landmark in (*page.all("nav"), *page.all("aside")):
        assert landmark.get("aria-label")
    levels = [
        int(node.tag[1]) for node in page.one("main").all() if re.fullmatch("h[1-6]", node.tag)
    ]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_the_skip_link_leads_somewhere(see: See, path: str) -> None:
    page = see(path)
    target = (page.one("a", _class="skip-link").get("href") or "").removeprefix("#")
    assert page.one(id=target).tag in {"textarea", "main"}


def test_only_one_place_speaks(see: See, path: str) -> None:
    page = see(path)
    speaking = [
        node.get("id")
        for node in page.all(templates=True)
        if node.get("aria-live") in {"polite", "assertive"}
        or node.get("role") in {"alert", "status"}
    ]
    assert speaking == ["announcer"]
    assert page.one(id="log").get("aria-live") == "off"


def test_icons_are_silent_and_there(see: See, path: str) -> None:
    names = set()
    for icon in see(path).all("svg", _class="icon", templates=True):
        assert icon.get("aria-hidden") == "true"
        assert icon.children
        names |= {(use.get("href") or "").partition("#")[2] for use in icon.all("use")}
    sprite = (ROOT / "static" / "icons" / "sprite.svg").read_text("utf-8")
    assert names <= set(re.findall(r'<symbol id="([\w-]+)"', sprite))


def test_english_pages_hold_no_chinese(see: See, path: str) -> None:
    page = see(path, language="en")
    assert page.one("html").get("lang") == "en"
    for node in page.all(templates=True):
        for said in (*own_text(node), *(node.get(name) or "" for name in NAMES)):
            assert not HAN.search(said.replace("中文", "")), said


def own_text(node: Node) -> list[str]:
    return [child for child in node.children if isinstance(child, str)]


def test_without_a_script_it_says_so(client: Client, alice: User, assistant: Agent) -> None:
    client.force_login(alice)
    page = parse(client.get("/", headers={"accept-language": "en"}).content.decode())
    assert page.one("noscript").text.startswith("Sending messages needs JavaScript.")


def test_the_client_has_all_its_words() -> None:
    with translation.override("en"):
        english = client_texts()
    with translation.override("zh-hans"):
        chinese = client_texts()
    assert english.keys() == chinese.keys()
    assert not [key for key, text in english.items() if HAN.search(text) or not text]
    figure = re.compile(r"{\w+}")
    for key, text in english.items():
        assert "%(" not in text
        assert sorted(figure.findall(text)) == sorted(figure.findall(chinese[key])), key


def test_every_word_the_client_asks_for_is_there() -> None:
    asked = set()
    for file in modules():
        asked |= set(re.findall(r'\b(?:say|tell|wrong|has)\("([a-z][A-Za-z]+)"', file))
        asked |= set(re.findall(r'"((?:error|form|help)[A-Z][A-Za-z]+)"', file))
    known = set(client_texts())
    elsewhere = {"reasoning", "text"}  # kinds of parts
    assert asked - known - elsewhere == set()


def modules() -> list[str]:
    return [path.read_text("utf-8") for path in sorted((ROOT / "static" / "chat").glob("*.js"))]
