"""The surface document: every tool that agents can be given, the same bytes each time.

Upper apps add sections of their own in `AppConfig.ready`: `sections["Skills"] = function`, which
returns the section's Markdown without its heading.
"""

import json
from collections.abc import Callable, Iterator
from itertools import groupby

from apps.tools.registry import ToolDescriptor, catalogue
from apps.tools.registry.descriptor import SURFACES

sections: dict[str, Callable[[], str]] = {}

HEAD = """\
# Agent surface area

What agents can be given. Written by `manage.py export_surface_area`; do not edit.
"""


def surface_document() -> str:
    """The whole document."""
    tools = sorted(catalogue.all(), key=lambda tool: (tool.app, tool.name))
    parts = [HEAD, f"## Tools\n\n{len(tools)} tools.\n"]
    for app, group in groupby(tools, key=lambda tool: tool.app):
        parts.append(f"### {app}\n")
        parts += ["\n".join(_tool(tool)) + "\n" for tool in group]
    for title in sorted(sections):
        parts.append(f"## {title}\n\n{sections[title]().strip()}\n")
    return "\n".join(parts)


def _tool(tool: ToolDescriptor) -> Iterator[str]:
    yield f"#### `{tool.name}`\n"
    yield f"> {tool.description}\n"
    yield f"- method: `{tool.service}.{tool.method}`"
    yield f"- permission: {_code(tool.permission)}"
    yield f"- writes: {_yes(tool.write_action)}; destructive: {_yes(tool.destructive)}"
    yield f"- control tool: {_yes(tool.control_tool)}; time-out: {tool.timeout:g} s"
    surfaces = tool.availability.surfaces
    yield f"- surfaces: {'all' if set(surfaces) == set(SURFACES) else ', '.join(surfaces)}"
    if tool.availability.capabilities:
        yield f"- needs: {', '.join(tool.availability.capabilities)}"
    schema = json.dumps(tool.schema, ensure_ascii=False, indent=2)
    yield f"\n```json\n{schema}\n```"


def _code(text: str | None) -> str:
    return f"`{text}`" if text else "none"


def _yes(value: bool) -> str:
    return "yes" if value else "no"
