"""A pytest plugin, loaded before Django: each run is a test bed with a `var` of its own.

What needs services is left out where none are named, and what needs Node where there is none; with
REQUIRE_PEERS (`bin/test --all`) nothing is left out, so that what is missing fails.
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    left_out = [item for item in items if _lacks_its_parts(item)]
    if left_out and not os.environ.get("REQUIRE_PEERS"):
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


def _lacks_its_parts(item: pytest.Item) -> bool:
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
