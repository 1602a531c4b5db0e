"""What agents can be given, written down and held to it."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from pytest_django import Settings

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.tools import surface
from apps.tools.management.commands import export_surface_area
from apps.tools.registry import catalogue
from apps.tools.surface import surface_document
from apps.tools.testing import fake_session, invoke_tool
from apps.tools.wiring import tool_specs
from tests.lib.outside import outside

PINNED = Path(__file__).parent.parent / "data" / "provider_tools.json"
OURS = [tool for tool in catalogue.all() if not tool.name.startswith("probe_")]
PAGE = "http://page.example/"  # stands for a page that is served for the test
# One call per tool that the whole gateway lets through: a new tool needs one here.
CALLS: dict[str, dict[str, Any]] = {
    "conversations_list": {"q": "学生"},
    "create_student": {"name": "王芳"},
    "date_difference": {"start": "2026-05-01", "end": "2026-06-01"},
    "math_calculate": {"expression": "1 + 2"},
    "search_students": {"keyword": "王"},
    "time_now": {},
    "user_choose": {"question": "哪一天？", "options": ["周一", "周二"]},
    "web_read": {"url": PAGE},
    "render_form": {
        "title": "新增学生",
        "fields": [{"name": "name", "label": "姓名", "type": "text", "required": True}],
    },
}


@pytest.fixture
def page(settings: Settings) -> Iterator[str]:
    """The address of a page that may be read."""
    with outside() as server:
        settings.WEB_READ_ALLOW = ["127.0.0.1"]
        settings.EGRESS_ALLOW = [f"127.0.0.1:{server.port}"]
        yield f"http://127.0.0.1:{server.port}/"


@pytest.mark.req("TOOL-22")
@pytest.mark.source("T13")
def test_t13_the_document_lists_every_tool_by_app() -> None:
    document = surface_document()
    assert document == surface_document()
    for tool in OURS:
        section = document.index(f"### {tool.app}\n")
        assert document.index(f"#### `{tool.name}`") > section
        assert tool.description in document


@pytest.mark.req("TOOL-22")
def test_a_check_fails_on_drift(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(export_surface_area, "DOCUMENT", tmp_path / "docs" / "surface.md")
    with pytest.raises(CommandError, match="out of date"):
        call_command("export_surface_area", "--check")
    call_command("export_surface_area", stdout=StringIO())
    call_command("export_surface_area", "--check", stdout=StringIO())
    written = tmp_path / "docs" / "surface.md"
    written.write_text(written.read_text().replace("writes: yes", "writes: no"))
    with pytest.raises(CommandError, match="writes: yes"):
        call_command("export_surface_area", "--check")


def test_an_app_can_add_its_section(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(surface.sections, "Zebras", lambda: "Striped.")
    assert "## Zebras\n\nStriped.\n" in surface_document()


@pytest.mark.req("TOOL-23")
@pytest.mark.source("T1")
@pytest.mark.django_db
def test_t01_the_provider_list_is_pinned(alice: User) -> None:
    session = fake_session(Actor.of(alice), tools=tuple(OURS))
    shown = [
        {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
        for spec in tool_specs(session)
    ]
    assert shown == json.loads(PINNED.read_text(encoding="utf-8"))


@pytest.mark.req("TOOL-23")
def test_every_tool_has_an_invocation() -> None:
    assert {tool.name for tool in OURS} == set(CALLS)


@pytest.mark.req("TOOL-23")
@pytest.mark.source("T16")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", sorted(CALLS))
def test_t16_each_tool_runs_through_the_gateway(alice: User, page: str, name: str) -> None:
    arguments = {key: page if value == PAGE else value for key, value in CALLS[name].items()}
    result = invoke_tool(name, arguments, Actor.of(alice))
    assert result.ok, result.error
    assert result.data["status"] == "success"
