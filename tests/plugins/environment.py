"""A pytest plugin, loaded before Django: each run is a test bed with a `var` of its own.

What needs services is left out where none are named, and what needs Node where there is none; with
REQUIRE_PEERS (`bin/test --all`) nothing is left out, so that what is missing fails.

Tests of the page run in a process of their own, with BROWSER_TESTS=only: the loop that drives the
browser stays open between tests, and no other loop may run beside it.
"""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

os.environ["APP_MODE"] = "test"
_AIMOCK = Path(__file__).parents[1] / "peers" / "node_modules" / "@copilotkit"
_OWN = "STEWARD_VAR" not in os.environ
if _OWN:
    os.environ["STEWARD_VAR"] = tempfile.mkdtemp(prefix="steward-tests-")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--screens", metavar="DIR", help="photograph the pages into this folder")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = {item for item in items if _belongs_elsewhere(item) or _lacks_its_parts(item)}
    if left_out:
        config.hook.pytest_deselected(items=list(left_out))
        items[:] = [item for item in items if item not in left_out]


def _belongs_elsewhere(item: pytest.Item) -> bool:
    wanted = os.environ.get("BROWSER_TESTS") == "only"
    return (item.get_closest_marker("browser") is not None) != wanted


def _lacks_its_parts(item: pytest.Item) -> bool:
    if os.environ.get("REQUIRE_PEERS"):
        return False
    services = os.environ.get("DATABASE_URL") and os.environ.get("REDIS_URL")
    if item.get_closest_marker("services") and not services:
        return True
    peer = item.get_closest_marker("peer")
    there = os.environ.get("AIMOCK_CLI") or _AIMOCK.is_dir()
    return peer is not None and "aimock" in peer.args and not there


def pytest_unconfigure(config: pytest.Config) -> None:
    """Workers find STEWARD_VAR set, so only the process that made the folder removes it."""
    if _OWN:
        shutil.rmtree(Path(os.environ["STEWARD_VAR"]), ignore_errors=True)
