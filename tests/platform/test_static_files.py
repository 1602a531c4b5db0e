"""What `bin/start` sends of the chat page: little, under names that may be kept for good."""

import gzip
import posixpath
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests.platform.test_start import lines_until_served, starting
from tests.wire_client import Answer, Client

LIMIT = 120_000
NAMED = re.compile(r'(?:href|src)="(/static/[^"#]+)')
PRELOADED = re.compile(r'<link rel="modulepreload" href="([^"]+)">')
IMPORTED = re.compile(r'(?m)^(?:import|export)\b(?:[^"\';]*\bfrom)?\s*"(\.[^"]+)"')
HASHED = re.compile(r"\.[0-9a-f]{12}\.\w+$")
ZIPPED = {"Accept-Encoding": "gzip"}
pytestmark = pytest.mark.fault


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    var: Path = tmp_path_factory.mktemp("started")
    with starting(var, "--port", "0") as process:
        port = int(re.findall(r"127\.0\.0\.1:(\d+)/", lines_until_served(process)[-1])[0])
        server: Any = SimpleNamespace(port=port)
        password = (var / "demo-password").read_text("utf-8").strip()
        yield Client(server).sign_in("alice", password)


@pytest.fixture(scope="module")
def page(client: Client) -> Answer:
    return client.request("GET", "/chat/assistant/", None, ZIPPED)


@pytest.fixture(scope="module")
def files(client: Client, page: Answer) -> dict[str, Answer]:
    """All that a first visit fetches, by its address."""
    found: dict[str, Answer] = {}
    wanted = set(NAMED.findall(text_of(page)))
    while wanted:
        path = wanted.pop()
        found[path] = client.request("GET", path, None, ZIPPED)
        wanted |= set(imports_of(path, found[path])) - found.keys()
    return found


def text_of(answer: Answer) -> str:
    assert answer.status == 200, answer
    zipped = answer.headers.get("content-encoding") == "gzip"
    return (gzip.decompress(answer.body) if zipped else answer.body).decode()


def imports_of(path: str, answer: Answer) -> list[str]:
    if not path.endswith(".js") or "/vendor/" in path:
        return []
    folder = posixpath.dirname(path)
    return [posixpath.normpath(f"{folder}/{name}") for name in IMPORTED.findall(text_of(answer))]


def test_the_page_weighs_little_on_the_wire(page: Answer, files: dict[str, Answer]) -> None:
    assert len(files) > 50
    assert len(page.body) + sum(len(file.body) for file in files.values()) <= LIMIT


def test_every_file_may_be_kept_for_good(files: dict[str, Answer]) -> None:
    for path, file in files.items():
        assert HASHED.search(path), path
        assert "immutable" in file.headers["cache-control"], path


def test_every_module_is_fetched_at_once(page: Answer, files: dict[str, Answer]) -> None:
    preloaded = PRELOADED.findall(text_of(page))
    imported = {one for path, file in files.items() for one in imports_of(path, file)}
    assert sorted(preloaded) == sorted(imported)
