"""Finds services with `@agent_tool` that no `apps.py` lists, without importing anything.

The registry cannot see a module that nobody imports; the source can.
"""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

DECORATOR = "agent_tool"
LISTING = "register_tools"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted:
    """A decorated service, and where its app would have to list it."""

    service: str
    file: Path
    line: int
    apps_file: Path

    def remedy(self) -> str:
        """What to do, for a person."""
        return (
            f"{self.service} in {self.file}:{self.line} has methods with @agent_tool but is not "
            f"listed. Add to ready() in {self.apps_file}: register_tools({self.service})"
        )


def own_folders(folders: Iterable[Path]) -> list[Path]:
    """Those of our own apps: what was installed beside us is not ours to judge."""
    return [folder for folder in folders if "site-packages" not in folder.parts]


def unlisted_services(app: Path) -> list[Unlisted]:
    """Of one app's folder."""
    apps_file = app / "apps.py"
    listed = set(_listed(apps_file)) if apps_file.exists() else set()
    return [
        Unlisted(service=node.name, file=file, line=node.lineno, apps_file=apps_file)
        for file in sorted(app.rglob("*.py"))
        for node in _decorated(file)
        if node.name not in listed
    ]


def _listed(apps_file: Path) -> Iterator[str]:
    """Names given to `register_tools(…)`, also as `module.Name`."""
    for node in ast.walk(_tree(apps_file)):
        if isinstance(node, ast.Call) and _name(node.func) == LISTING:
            yield from (_name(argument) for argument in node.args)


def _decorated(file: Path) -> Iterator[ast.ClassDef]:
    text = file.read_text(encoding="utf-8")
    if DECORATOR not in text:
        return
    for node in ast.walk(ast.parse(text, str(file))):
        if isinstance(node, ast.ClassDef) and any(map(is_marked, node.body)):
            yield node


def is_marked(node: ast.stmt) -> bool:
    """Whether it is a method with `@agent_tool(…)`."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        return False
    calls = (mark.func for mark in node.decorator_list if isinstance(mark, ast.Call))
    return any(_name(call) == DECORATOR for call in calls)


def _name(node: ast.expr) -> str:
    """`f` and `module.f` are both f."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def _tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"), str(file))
