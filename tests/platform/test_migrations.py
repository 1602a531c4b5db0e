"""The database that migrations make: complete, protected, and in step with the models."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection

from apps.lib.immutable import missing_triggers
from tests.databases import ROOT, empty_database


@pytest.mark.django_db
def test_from_zero_every_trigger_stands() -> None:
    assert missing_triggers(connection) == []


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


@pytest.mark.req("TOOL-11")
def test_rows_from_before_the_chains_become_one_chain(tmp_path: Path) -> None:
    with empty_database(tmp_path) as url:
        done = subprocess.run(
            [sys.executable, "-m", "tests.platform.upgrade"],
            cwd=ROOT,
            env={**os.environ, "DATABASE_URL": url, "STEWARD_VAR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout.splitlines()[-1])
    assert found == {
        "triggers before": [],
        "triggers missing": [],
        "positions": [1, 2, 3, 4, 5, 6],
        "chains": 1,
        "breaks": [],
        "refused": ["update", "delete"],
    }
