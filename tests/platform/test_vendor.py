"""What is not ours is what it says it is, and the chat page stays light."""

import gzip
import hashlib
import re
from pathlib import Path

import pytest

STATIC = Path(__file__).parents[2] / "static"
VENDOR = STATIC / "vendor"
BUDGET = 120_000
SUM = re.compile(r"`([0-9a-f]{64})`")


def stated() -> dict[str, tuple[str, str]]:
    """By file: the sums of ours and of the package's."""
    rows = [
        line for line in (VENDOR / "VENDOR.md").read_text("utf-8").splitlines() if SUM.search(line)
    ]
    sums = {line.split("`")[1]: SUM.findall(line) for line in rows}
    return {name: (ours, theirs) for name, (ours, theirs) in sums.items()}


def test_every_vendored_file_has_its_sum() -> None:
    found = {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in VENDOR.glob("*.js")
    }
    assert found == {name: ours for name, (ours, _theirs) in stated().items()}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("marked.esm.js", b"//# sourceMappingURL=marked.esm.js.map\n"),
        ("purify.es.js", b"//# sourceMappingURL=purify.es.mjs.map"),
        ("idiomorph.esm.js", b""),
    ],
)
def test_with_the_line_that_is_out_it_is_the_packages_file(name: str, line: bytes) -> None:
    content = (VENDOR / name).read_bytes() + line
    assert hashlib.sha256(content).hexdigest() == stated()[name][1]


def test_nothing_else_stands_in_the_folder() -> None:
    licences = {name.partition(".")[0] + ".LICENSE" for name in stated()}
    assert {path.name for path in VENDOR.iterdir()} == {"VENDOR.md", *stated(), *licences}


def test_the_chat_page_is_within_its_budget_of_weight() -> None:
    """Compressed, without history and without the page itself, which is measured in a browser."""
    files = [
        *VENDOR.glob("*.js"),
        *(STATIC / "chat").glob("*.js"),
        *(STATIC / "icons").glob("*.svg"),
    ]
    files += [STATIC / "css" / name for name in ("tokens.css", "base.css", "chat.css")]
    weights = {path.name: len(gzip.compress(path.read_bytes())) for path in files}
    assert sum(weights.values()) < BUDGET - 15_000, weights


def test_our_modules_say_what_they_are_and_stay_small() -> None:
    for path in (STATIC / "chat").glob("*.js"):
        text = path.read_text("utf-8")
        assert text.startswith("/**\n * "), path.name
        assert text.count("\n") < 200, path.name


def test_html_becomes_nodes_in_one_place_only() -> None:
    sinks = re.compile(
        r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser|parseFromString"
        r"|createContextualFragment|srcdoc|\beval\(|new Function|setHTMLUnsafe|\.sanitize\("
    )
    modules = (STATIC / "chat").glob("*.js")
    users = {path.name for path in modules if sinks.search(path.read_text("utf-8"))}
    # `swap.js` names a way of morphing: it hands over nodes.
    assert users == {"sanitise.js", "swap.js"}
