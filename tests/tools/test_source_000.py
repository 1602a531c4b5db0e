"""The twenty tests that the tools were specified by: each stands, under its number.

Where the table asks for what was decided otherwise: what the model can act on is told to it (T6),
permission is looked at first (T7), and the rest ends the run in safe words (T8, T18).
"""

import ast
import random
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from apps.audit.sanitizer import MARK
from apps.tools.registry import BusinessError
from apps.tools.session import ToolSession
from tests.tools.calling import answer, toolbox_of
from tests.tools.conftest import call_of
from tests.tools.services import ProbeTools, raises

TESTS = Path(__file__).parents[1]
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
ROWS = {
    "T1": "TOOL-23", "T2": "TOOL-2", "T3": "TOOL-3", "T4": "TOOL-4", "T5": "TOOL-10",
    "T6": "TOOL-14", "T7": "TOOL-15", "T8": "TOOL-16", "T9": "TOOL-17", "T10": "TOOL-18",
    "T11": "TOOL-19", "T12": "TOOL-9", "T13": "TOOL-22", "T14": "TOOL-24", "T15": "TOOL-3",
    "T16": "TOOL-23", "T17": "TOOL-25", "T18": "TOOL-16", "T19": "TOOL-13", "T20": "TOOL-5",
}  # fmt: skip


class Found(NamedTuple):
    """A test by its name, and what its markers name."""

    name: str
    reqs: frozenset[str]
    sources: frozenset[str]


def marked(node: ast.FunctionDef | ast.AsyncFunctionDef, marker: str) -> frozenset[str]:
    calls = [mark for mark in node.decorator_list if isinstance(mark, ast.Call)]
    named = [call for call in calls if ast.unparse(call.func) == f"pytest.mark.{marker}"]
    arguments = [argument for call in named for argument in call.args]
    return frozenset(str(a.value) for a in arguments if isinstance(a, ast.Constant))


def sourced() -> Iterator[Found]:
    """Every test with the marker, in all of the tests."""
    for path in TESTS.rglob("test_*.py"):
        text = path.read_text("utf-8") if "node_modules" not in path.parts else ""
        if "mark.source(" not in text:
            continue
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, FUNCTIONS) and (rows := marked(node, "source")):
                yield Found(node.name, marked(node, "req"), rows)


def test_all_twenty_stand_under_both_markers() -> None:
    found: dict[str, list[Found]] = defaultdict(list)
    for test in sourced():
        for row in test.sources:
            found[row].append(test)
    assert sorted(found) == sorted(ROWS)
    for row, req in ROWS.items():
        (test,) = found[row]
        assert test.name.startswith(f"test_t{int(row[1:]):02d}_"), test
        assert req in test.reqs, test


WORDS = ("学生", "王芳", "已存在", "not", "found", "班级", "saved", "at", "请", "重试")
SECRETS = (
    "SELECT name FROM students_student WHERE id = {a}",
    "INSERT INTO audit_entry_{a} VALUES ({b})",
    "/srv/app_{a}/config/secret_{b}.py",
    'File "/opt/run{a}/x.py", line {b}, in call_{c}',
    "10.{a}.{b}.{c}",
    "user{a}.{b}@mail{c}.example.com",
    "Bearer {h}",
    "sk-proj-{h}",
)


def message(chance: random.Random) -> tuple[str, str]:
    """What an error might say, and the secret in it."""
    numbers = {name: chance.randint(10, 250) for name in "abc"}
    secret = chance.choice(SECRETS).format(h=f"{chance.getrandbits(160):040x}", **numbers)
    before, after = (" ".join(chance.choices(WORDS, k=3)) for _ in range(2))
    return f"{before} {secret} {after}", secret


@pytest.mark.req("TOOL-17")
@pytest.mark.source("T9")
@pytest.mark.django_db(transaction=True)
async def test_t09_no_error_tells_a_secret(session: ToolSession) -> None:
    chance = random.Random(9)
    told: list[tuple[str, str, str]] = []
    async with toolbox_of(session) as toolbox:
        for index in range(120):
            text, secret = message(chance)
            ProbeTools.body = raises(BusinessError(text))
            result = await answer(toolbox, call_of("probe_read", text="x"), index)
            told.append((text, secret, result.error))
    assert [text for text, secret, error in told if secret in error] == []
    assert [text for text, _, error in told if MARK not in error] == []
    assert [text for text, _, error in told if text.split()[0] not in error] == []
