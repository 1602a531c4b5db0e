"""What was promised about the shape of the repository is pinned here."""

import ast
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).parents[2]
TOP = {"manage.py", "pyproject.toml", "config", "apps", "templates", "static", "tests", "docs"}
PACKAGES = {
    "django": "django",
    "djangorestframework": "rest_framework",
    "channels": "channels",
    "daphne": "daphne",
    "celery": "celery",
    "django-environ": "environ",
    "openai": "openai",
    "django-guardian": "guardian",
    "pytest-django": "pytest_django",
}
APPS = {"agents", "tools", "audit", "conversations", "forms", "students", "skills"}
WITHOUT_ADR = {".git", ".venv", "var", "node_modules", "staticfiles", *TOP}


def decisions() -> str:
    return "\n".join(path.read_text("utf-8") for path in (ROOT / "docs" / "adr").glob("*.md"))


def tracked() -> set[str]:
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return {line.split("/")[0] for line in listed.stdout.splitlines() if "/" in line}


@pytest.mark.req("CARD-1")
def test_the_top_level_is_as_promised() -> None:
    assert [name for name in [*TOP, "Procfile"] if not (ROOT / name).exists()] == []


@pytest.mark.req("CARD-1")
def test_every_further_folder_has_a_decision() -> None:
    text = decisions()
    assert [f for f in sorted(tracked() - WITHOUT_ADR) if f"`{f}/`" not in text] == []


@pytest.mark.req("CARD-1")
def test_the_nine_packages_are_declared_and_used() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    declared = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    names = {re.split(r"[\[<>=;~ ]", line)[0] for line in declared}
    assert set(PACKAGES) - names == set()
    assert set(PACKAGES.values()) - imported() == set()


def imported() -> set[str]:
    """The top package of every import of our code and tests."""
    found = set()
    for folder in ("apps", "config", "tests"):
        for path in (ROOT / folder).rglob("*.py"):
            if "node_modules" in path.parts:
                continue
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                if isinstance(node, ast.Import):
                    found |= {alias.name.split(".")[0] for alias in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.split(".")[0])
    return found


@pytest.mark.req("CARD-1")
def test_the_seven_apps_are_installed() -> None:
    installed = {name.removeprefix("apps.") for name in settings.INSTALLED_APPS}
    assert APPS - installed == set()


@pytest.mark.req("CARD-1")
def test_every_further_app_has_a_decision() -> None:
    there = {path.parent.name for path in (ROOT / "apps").glob("*/__init__.py")}
    text = decisions()
    assert [app for app in sorted(there - APPS) if f"`apps.{app}`" not in text] == []


def test_the_lock_names_no_host() -> None:
    for path in (ROOT / "requirements").iterdir():
        assert "://" not in path.read_text("utf-8"), path.name
    assert not (ROOT / "uv.lock").exists()


def test_the_lock_holds_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    locked = (ROOT / "requirements" / "core.txt").read_text("utf-8").lower()
    names = [re.split(r"[\[<>=;~ ]", line)[0] for line in project["dependencies"]]
    assert [name for name in names if f"\n{name}==" not in f"\n{locked}"] == []


def test_every_dependency_has_its_reason() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    lines = [*project["project"]["dependencies"], *project["dependency-groups"]["dev"]]
    for extra in project["project"]["optional-dependencies"].values():
        lines += extra
    names = {re.split(r"[\[<>=;~ ]", line)[0] for line in lines}
    reasons = (ROOT / "docs" / "dependencies.md").read_text("utf-8")
    assert [name for name in sorted(names) if f"`{name}`" not in reasons] == []


def test_modules_and_functions_stay_small() -> None:
    long = []
    for folder in ("apps", "config"):
        for path in (ROOT / folder).rglob("*.py"):
            if "migrations" in path.parts:
                continue
            text = path.read_text("utf-8")
            if text.count("\n") > 500:
                long.append(str(path.relative_to(ROOT)))
            long += [
                f"{path.relative_to(ROOT)}:{node.lineno} {node.name}"
                for node in ast.walk(ast.parse(text))
                if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
                and (node.end_lineno or 0) - node.lineno >= 60
            ]
    assert long == []


def test_no_asynchronous_orm_is_called() -> None:
    pattern = re.compile(r"\.a(get|save|create|delete|update|filter|exists|count|first|last)\(")
    found = [
        str(path.relative_to(ROOT))
        for path in (ROOT / "apps").rglob("*.py")
        if pattern.search(path.read_text("utf-8"))
    ]
    assert found == []


def test_importing_does_no_work() -> None:
    """Every module, with no socket to be had and no database that could answer."""
    script = """
import pkgutil, socket, sys
def refuse(*_args, **_more):
    raise RuntimeError("a socket at import")
import django
django.setup()
socket.socket.connect = socket.socket.bind = socket.getaddrinfo = refuse
from django.db.backends.base.base import BaseDatabaseWrapper
BaseDatabaseWrapper.connect = refuse
import apps, config
for package in (apps, config):
    for found in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if ".migrations" not in found.name:
            __import__(found.name)
print(len(sys.modules))
"""
    done = subprocess.run(
        [sys.executable, "-W", "error::ResourceWarning", "-c", script],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_starting_does_not_load_the_model_client() -> None:
    script = "import django, sys; django.setup(); print('openai' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", script],
        cwd=ROOT,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == "False\n"
