"""A faulty declaration stops a process, whoever starts it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from apps.tools.checks import check_registry, check_sources
from apps.tools.static_check import unlisted_services

TOOLS = '''
from dataclasses import dataclass
from apps.tools.registry import agent_tool

@dataclass(frozen=True)
class Nothing:
    """Takes nothing."""

class ZooTools:
    """Tools of the zoo."""

    @agent_tool("zoo_feed", "Feeds.", Nothing, write_action=True)
    def feed(self, input, ctx):
        return {}
'''
APPS = """
from django.apps import AppConfig

class ZooConfig(AppConfig):
    name = "zoo"

    def ready(self):
        from zoo import tools
        {listing}
"""
PROGRAM = """
import sys
sys.path.insert(0, sys.argv[1])
import django
from django.conf import settings
from config import settings as own
names = {n: getattr(own, n) for n in dir(own) if n.isupper()}
names["INSTALLED_APPS"] = [*names["INSTALLED_APPS"], "zoo"]
settings.configure(**names)
django.setup()
from django.core.management import call_command
call_command("check", "--tag", "tools")
"""


@pytest.fixture
def zoo(tmp_path: Path) -> Path:
    """An app with one decorated service that its `apps.py` does not list."""
    folder = tmp_path / "zoo"
    folder.mkdir()
    (folder / "__init__.py").write_text("")
    (folder / "tools.py").write_text(TOOLS)
    (folder / "apps.py").write_text(APPS.format(listing="pass"))
    return folder


def started(zoo: Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "APP_MODE": "test"}
    return subprocess.run(
        [sys.executable, "-c", PROGRAM, str(zoo.parent)],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
        timeout=60,
    )


@pytest.mark.req("TOOL-3")
@pytest.mark.source("T3")
def test_t03_an_unlisted_service_stops_start_up(zoo: Path) -> None:
    ended = started(zoo)
    assert ended.returncode != 0
    assert "ZooTools" in ended.stderr
    assert str(zoo / "tools.py") in ended.stderr
    assert "register_tools(ZooTools)" in ended.stderr


@pytest.mark.req("TOOL-3")
def test_a_listed_service_starts(zoo: Path) -> None:
    listing = "from apps.tools.registry import register_tools; register_tools(tools.ZooTools)"
    (zoo / "apps.py").write_text(APPS.format(listing=listing))
    ended = started(zoo)
    assert ended.returncode == 0, ended.stderr


@pytest.mark.req("TOOL-3")
@pytest.mark.source("T15")
def test_t15_the_source_shows_what_nobody_imports(zoo: Path) -> None:
    (found,) = unlisted_services(zoo)
    assert (found.service, found.file.name) == ("ZooTools", "tools.py")
    assert "register_tools(ZooTools)" in found.remedy()
    (zoo / "apps.py").write_text("register_tools(tools.ZooTools)")
    assert unlisted_services(zoo) == []


@pytest.mark.req("TOOL-3")
def test_our_own_apps_list_their_tools() -> None:
    assert check_registry(None) == []
    assert check_sources(None) == []
