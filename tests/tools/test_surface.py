"""What agents can be given, written down and held to it."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.tools import surface
from apps.tools.management.commands import export_surface_area
from apps.tools.registry import catalogue
from apps.tools.surface import surface_document
from apps.tools.testing import fake_session, invoke_tool
from apps.tools.wiring import tool_specs

PINNED = Path(__file__).parent.parent / "data" / "provider_tools.json"
OURS = [tool for tool in catalogue.all() if not tool.name.startswith("probe_")]
# One call per tool that the whole gateway lets through: a new tool needs one here.
CALLS: dict[str, dict[str, Any]] = {
    "create_student": {"name": "王芳"},
    "search_students": {"keyword": "王"},
    "render_form": {
        "title": "新增学生",
        "fields": [{"name": "name", "label": "姓名", "type": "text", "required": True}],
    },
}


@pytest.mark.req("TOOL-22")
@pytest.mark.spec("T13")
def test_the_document_lists_every_tool_by_app() -> None:
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
@pytest.mark.spec("T1")
@pytest.mark.django_db
def test_the_provider_list_is_pinned(alice: User) -> None:
    session = fake_session(Actor.of(alice), tools=tuple(OURS))
    shown = [
        {"name": spec.name, "description": spec.description, "parameters": dict(spec.parameters)}
        for spec in tool_specs(session)
    ]
    assert shown == json.loads(PINNED.read_text(encoding="utf-8"))


@pytest.mark.req("TOOL-23")
@pytest.mark.spec("T16")
def test_every_tool_has_an_invocation() -> None:
    assert {tool.name for tool in OURS} == set(CALLS)


@pytest.mark.req("TOOL-23")
@pytest.mark.spec("T16")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", sorted(CALLS))
def test_each_tool_runs_through_the_gateway(alice: User, name: str) -> None:
    result = invoke_tool(name, CALLS[name], Actor.of(alice))
    assert result.ok, result.error
    assert result.data["status"] == "success"
