"""The tokens keep their contrast, nothing but tokens holds raw values, and the page stays light."""

import gzip
import re
from pathlib import Path

import pytest
from django.test import Client

from apps.conversations.models import Conversation
from tests.conversations.pages.conftest import See
from tests.conversations.pages.markup import Node

ROOT = Path(__file__).resolve().parents[3]
CSS = ROOT / "static" / "css"
TEXT, LARGE = 4.5, 3.0
BUDGET = 120_000
PAIRS = [
    *[
        (name, ground, TEXT)
        for name in ("text", "text-quiet", "neutral-7")
        for ground in ("page", "surface", "neutral-1", "neutral-2")
    ],
    *[(name, "surface", TEXT) for name in ("accent", "danger", "success", "warning", "info")],
    *[(name, "page", TEXT) for name in ("accent", "danger", "success", "warning", "info")],
    *[
        (name, f"{name}-surface", TEXT)
        for name in ("accent", "danger", "success", "warning", "info")
    ],
    ("text", "neutral-3", TEXT),
    ("on-accent", "accent", TEXT),
    ("on-accent", "accent-hover", TEXT),
    ("on-danger", "danger", TEXT),
    ("on-danger", "danger-hover", TEXT),
    ("neutral-6", "neutral-3", LARGE),
    ("neutral-7", "neutral-3", LARGE),
    ("control-border", "surface", LARGE),
    ("control-border", "page", LARGE),
    ("accent", "neutral-2", LARGE),
    *[(f"{name}-border", "surface", LARGE) for name in ("success", "warning", "danger", "info")],
]


def tokens(dark: bool) -> dict[str, str]:
    text = (CSS / "tokens.css").read_text("utf-8")
    light, _, rest = text.partition("@media (prefers-color-scheme: dark)")
    return dict(re.findall(r"--([\w-]+):\s*([^;]+);", light + (rest if dark else "")))


def colour(name: str, values: dict[str, str]) -> tuple[float, ...]:
    value = values[name]
    if found := re.fullmatch(r"var\(--([\w-]+)\)", value):
        return colour(found[1], values)
    found = re.fullmatch(r"#([0-9a-f]{6})", value)
    assert found, f"{name} is no plain colour: {value}"
    return tuple(int(found[1][at : at + 2], 16) / 255 for at in (0, 2, 4))


def luminance(rgb: tuple[float, ...]) -> float:
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in rgb
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_colours_stand_out_enough(dark: bool) -> None:
    values = tokens(dark)
    weak = {
        f"{name} on {ground}": round(found, 2)
        for name, ground, least in PAIRS
        if (found := contrast(colour(name, values), colour(ground, values))) < least
    }
    assert weak == {}


def test_black_on_white_is_twenty_one() -> None:
    assert contrast((0, 0, 0), (1, 1, 1)) == pytest.approx(21)


def test_dark_changes_every_colour() -> None:
    light, dark = tokens(False), tokens(True)
    same = [n for n, value in light.items() if value.startswith("#") and dark[n] == value]
    assert same == []


@pytest.mark.parametrize("name", ["base.css", "chat.css"])
def test_raw_colours_stand_in_tokens_only(name: str) -> None:
    text = (CSS / name).read_text("utf-8")
    assert re.findall(r"#[0-9a-f]{3,8}\b(?=[^{]*})|rgb\(|hsl\(|gradient\(", text) == []
    known = tokens(False)
    assert {one for one in re.findall(r"var\(--([\w-]+)\)", text) if one not in known} == set()


def test_motion_is_short_and_can_be_off() -> None:
    assert int(tokens(False)["motion"].removesuffix("ms")) <= 150
    assert "prefers-reduced-motion: reduce" in (CSS / "base.css").read_text("utf-8")


@pytest.mark.django_db
def test_the_page_is_light(see: See, conversation: Conversation) -> None:
    """All that a first visit fetches, compressed, without history."""
    page = see(f"/c/{conversation.pk}/")
    files = {ROOT / path.lstrip("/") for path in linked(page)}
    files |= {*(ROOT / "static" / "chat").glob("*.js"), *(ROOT / "static" / "vendor").glob("*.js")}
    weight = sum(len(gzip.compress(file.read_bytes(), 6)) for file in files)
    assert ROOT / "static" / "icons" / "sprite.svg" in files
    assert weight + 12_000 <= BUDGET  # the document itself, see below


@pytest.mark.django_db
def test_the_document_is_light(client: Client, see: See, conversation: Conversation) -> None:
    see("/")
    body = client.get(f"/c/{conversation.pk}/").content
    assert len(gzip.compress(body, 6)) <= 12_000


def linked(page: Node) -> set[str]:
    """What the document names of our own files."""
    named = [node.get(name) or "" for node in page.all(templates=True) for name in ("href", "src")]
    return {name.partition("#")[0] for name in named if name.startswith("/static/")}
