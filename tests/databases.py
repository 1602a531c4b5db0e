"""Databases for server processes: seeded once per set of settings, then copied."""

import atexit
import os
import secrets
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

ROOT = Path(__file__).resolve().parent.parent
SEEDING = ("OPENAI_BASE_URL", "OPENAI_API_KEY", "DEFAULT_MODEL", "LANGUAGE_CODE")
# In one process: to start one costs as much as to migrate.
PREPARING = """
from django.core.management import call_command
call_command("migrate", verbosity=0)
call_command("seed_demo")
"""


@contextmanager
def served_database(folder: Path, environment: Mapping[str, str]) -> Iterator[str]:
    """The URL of a database with the demo data, on the engine that the tests run on."""
    seeding = tuple((name, environment[name]) for name in SEEDING if name in environment)
    template = _template(environment["DEMO_PASSWORD"], seeding)
    if template.startswith("sqlite"):
        copy = folder / "steward.sqlite3"
        shutil.copyfile(template.removeprefix("sqlite:///"), copy)
        yield f"sqlite:///{copy}"
        return
    name = f"steward_served_{secrets.token_hex(6)}"
    _administer(f'CREATE DATABASE "{name}" TEMPLATE "{urlsplit(template).path[1:]}"')
    try:
        yield _renamed(template, name)
    finally:
        _administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@contextmanager
def empty_database(folder: Path) -> Iterator[str]:
    """The URL of a database without any table, on the engine that the tests run on."""
    base = os.environ.get("DATABASE_URL", "")
    if not base.startswith("postgres"):
        yield f"sqlite:///{folder / 'empty.sqlite3'}"
        return
    name = f"steward_empty_{secrets.token_hex(6)}"
    _administer(f'CREATE DATABASE "{name}"')
    try:
        yield _renamed(base, name)
    finally:
        _administer(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')


@cache
def _template(password: str, seeding: tuple[tuple[str, str], ...]) -> str:
    """A migrated and seeded database, once per process of tests; the caller copies it."""
    base = os.environ.get("DATABASE_URL", "")
    if base.startswith("postgres"):
        name = f"steward_template_{secrets.token_hex(6)}"
        _administer(f'CREATE DATABASE "{name}"')
        atexit.register(_administer, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        url = _renamed(base, name)
    else:
        url = f"sqlite:///{_template_folder()}/{secrets.token_hex(6)}.sqlite3"
    with tempfile.TemporaryDirectory() as var:
        _prepare({"DATABASE_URL": url, "DEMO_PASSWORD": password, "STEWARD_VAR": var}, seeding)
    return url


@cache
def _template_folder() -> str:
    # The session's own `var`, which goes when the session does.
    return tempfile.mkdtemp(dir=os.environ["STEWARD_VAR"])


def _prepare(environment: dict[str, str], seeding: tuple[tuple[str, str], ...]) -> None:
    everything = {**os.environ, "APP_MODE": "test", **environment, **dict(seeding)}
    done = subprocess.run(
        [sys.executable, "manage.py", "shell", "-v", "0", "-c", PREPARING],
        cwd=ROOT,
        env=everything,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{done.stdout}{done.stderr}"


def _renamed(url: str, name: str) -> str:
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def _administer(statement: str) -> None:
    import psycopg  # noqa: PLC0415, an extra: absent where only SQLite is tested

    maintenance: Any = _renamed(os.environ["DATABASE_URL"], "postgres")
    with psycopg.connect(maintenance, autocommit=True) as connection:
        connection.execute(statement)
