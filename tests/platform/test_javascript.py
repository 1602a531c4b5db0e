"""The pure modules of the chat page, in Node; the rest of them is tested in a browser."""

import json
import os
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import pytest

from apps.lib.markdown import render_markdown

ROOT = Path(__file__).parents[2]
TESTS = sorted((ROOT / "tests" / "js").glob("*.test.mjs"))
pytestmark = pytest.mark.peer("node")


@pytest.fixture(scope="module")
def node() -> str:
    """Its path; a failure where every part was promised to be there."""
    found = shutil.which("node")
    if found is None:
        refuse = pytest.fail if os.environ.get("REQUIRE_PEERS") == "1" else pytest.skip
        refuse("Node 20 is missing")
    return found


@pytest.mark.parametrize("file", TESTS, ids=lambda file: file.name)
def test_the_module_does_what_its_tests_say(node: str, file: Path) -> None:
    done = subprocess.run([node, "--test", str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


KEPT = ("href", "start", "class", "align")


class Shape(HTMLParser):
    """The elements and words of some HTML, with where its links lead."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = [f"{name}={value}" for name, value in attrs if name in KEPT]
        self.parts.append(" ".join([f"<{tag}>", *kept]))

    def handle_data(self, data: str) -> None:
        self.parts += data.split()


SAME = [
    "# 学费\n\n本学期 **3,200** 元，_含_ `教材`。\n换行",
    "- 一\n- 二\n  - 三\n\n1. 甲\n2. 乙",
    "3. three\n4. four",
    "| a | b |\n|---|--:|\n| 1 | ~~2~~ |",
    "| a | b | c |\n|:-:|:--|--:|\n| 1 | 2 | 3 |",
    "```python\nif a < b:\n    pass\n```\n\n    indented",
    "> quoted\n> twice\n\n***",
    '[说明](https://example.com/a?b=1&c=2 "t") <https://example.com>',
    "![图 1](https://example.com/p.png)",
    "<b>not bold</b> & <script>alert(1)</script>",
    "~one~ ~~two~~ https://example.com www.example.com",
    "- [ ] open\n- [x] done",
    "a\\\nb\\*c&copy;",
    "Setext\n===",
]


def test_a_stream_reads_as_the_finished_message_does(node: str) -> None:
    script = ROOT / "tests" / "js" / "render.mjs"
    done = subprocess.run(
        [node, str(script)], input=json.dumps(SAME), capture_output=True, text=True, check=True
    )
    for text, html in zip(SAME, json.loads(done.stdout), strict=True):
        assert Shape(html).parts == Shape(render_markdown(text)).parts, text
