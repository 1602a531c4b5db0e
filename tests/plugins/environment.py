"""A pytest plugin, loaded before Django: each run is a test bed with a `var` of its own."""

import os
import shutil
import tempfile
from pathlib import Path

import pytest

os.environ["APP_MODE"] = "test"
_OWN = "STEWARD_VAR" not in os.environ
if _OWN:
    os.environ["STEWARD_VAR"] = tempfile.mkdtemp(prefix="steward-tests-")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Workers find STEWARD_VAR set, so only the process that made the folder removes it."""
    if _OWN:
        shutil.rmtree(Path(os.environ["STEWARD_VAR"]), ignore_errors=True)
