"""What must not leave, measured on a corpus and on generated messages."""

import gzip
import json
import random
import time
from pathlib import Path
from typing import Any

import pytest

from apps.audit.sanitizer import MARK, RULES, redact_secrets, sanitize

DATA = Path(__file__).parent.parent / "data"
STRICT = ("key_", "bearer", "passwd", "dsn", "privkey", "cookie")
# Hundred on an idle machine is the product's promise; a test bed's other tests slow it down.
HOSTILE_MS = 100 * 5


def corpus(name: str) -> list[dict[str, Any]]:
    with gzip.open(DATA / f"sanitize_{name}.jsonl.gz", "rt", encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def leaks(item: dict[str, Any]) -> bool:
    told = sanitize(item["text"])
    return any(secret in told for secret in item["must_not_contain"])


@pytest.mark.req("TOOL-17")
def test_hardly_anything_of_the_corpus_leaks() -> None:
    items = corpus("leaks")
    leaked = [item["id"] for item in items if leaks(item)]
    strict = [item["id"] for item in items if item["kind"].startswith(STRICT) and leaks(item)]
    assert strict == []
    assert len(leaked) <= 0.01 * len(items), leaked


@pytest.mark.req("TOOL-17")
def test_business_text_stays_as_it_is() -> None:
    items = corpus("harmless")
    changed = [item["text"] for item in items if sanitize(item["text"]) != item["text"]]
    assert len(changed) <= 0.01 * len(items), changed


@pytest.mark.req("TOOL-17")
def test_what_stands_beside_a_secret_stays() -> None:
    wanted = [(item, keep) for item in corpus("leaks") for keep in item.get("should_keep") or ()]
    kept = [keep for item, keep in wanted if keep in sanitize(item["text"])]
    assert len(kept) >= 0.95 * len(wanted)


@pytest.mark.req("TOOL-17")
@pytest.mark.parametrize("item", corpus("hostile"), ids=lambda item: item["id"])
def test_hostile_text_takes_no_time(item: dict[str, Any]) -> None:
    value: Any = item.get("value")
    if "value" not in item:
        value = item["prefix"] + item["unit"] * item["repeat"] + item["suffix"]
    began = time.process_time()
    told = sanitize(value)
    assert (time.process_time() - began) * 1000 <= HOSTILE_MS
    assert isinstance(told, str)
    if item.get("must_not_contain") or "value" in item:
        assert "10.1.2.3" not in told


WORDS = (
    "保存失败", "请", "重试", "order", "failed", "学生", "because", "of", "the", "class",
    "原因", "：", "，", "(", ")", "near", "while",
)  # fmt: skip
SECRETS = (
    "10.{a}.{b}.{c}",
    "192.168.{a}.{b}:5432",
    "li.{a}@mail{b}.example.com",
    "/srv/app/releases/{a}/main_{b}.py",
    "C:\\app{a}\\bin\\hub{b}.exe",
    "sk-{h}{h}",
    "Bearer {h}{h}",
    "password=Zq{a}!{h}",
    "postgres://u{a}:p{h}@db{b}.prod.internal:5432/main",
    "SELECT id FROM edu_table_{a} WHERE id = {b}",
    'File "/app/x{a}.py", line {b}, in run_{c}',
    "eyJhbGciOiJIUzI1NiJ9{h}.eyJzdWIiOiI{a}{h}.s{h}",
)


def generated(seed: int) -> tuple[str, str]:
    """A message, and the secret in it."""
    chance = random.Random(seed)
    numbers = {name: chance.randint(10, 250) for name in "abc"}
    secret = chance.choice(SECRETS).format(h=f"{chance.getrandbits(80):020x}", **numbers)
    before, after = (" ".join(chance.choices(WORDS, k=4)) for _ in range(2))
    return f"{before} {secret} {after}", secret


@pytest.mark.req("TOOL-17")
@pytest.mark.spec("T9")
def test_generated_messages_leak_nothing() -> None:
    leaked = [
        message for message, secret in map(generated, range(500)) if secret in sanitize(message)
    ]
    assert leaked == []


def test_a_second_pass_changes_nothing() -> None:
    for item in corpus("leaks"):
        once = sanitize(item["text"])
        assert sanitize(once).count(MARK) >= once.count(MARK)


def test_results_keep_their_business_data() -> None:
    text = "13800138000 li.wei@example.com token=abcdefghij0123456789"
    assert redact_secrets(text) == f"13800138000 li.wei@example.com token={MARK}"


def test_a_secret_at_the_cut_is_dropped_whole() -> None:
    told = sanitize("好 " * 3990 + "sk-" + "a1" * 500)
    assert "sk-" not in told


def test_every_rule_has_a_name_of_its_own() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES) >= 90
