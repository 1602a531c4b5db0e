"""Adds a service to the list in an app's `apps.py`, and leaves all else as it stands."""

import ast
from collections.abc import Iterator
from typing import NamedTuple, TypeAlias

REGISTRY, LISTING = "apps.tools.registry", "register_tools"
_BODY = " " * 8

Imported: TypeAlias = ast.Import | ast.ImportFrom


class _Change(NamedTuple):
    """Lines that take the place of those from `first` up to `end` (counted from 0)."""

    first: int
    end: int
    lines: list[str]


def listed(source: str, module: str, service: str) -> str:
    """The source with `register_tools(service)` in `ready`; LookupError without an AppConfig."""
    lines = source.splitlines()
    config = _config(source)
    ready = next((node for node in config.body if _is_ready(node)), None)
    if not isinstance(ready, ast.FunctionDef):
        new = ["", "    def ready(self) -> None:", *_imports(module, service), ""]
        changes = [_Change(_end(config), _end(config), [*new, f"{_BODY}{LISTING}({service})"])]
    else:
        changes = list(_in_ready(ready, module, service))
    changes.reverse()  # of one place the later goes in first
    for change in sorted(changes, key=lambda change: -change.first):
        lines[change.first : change.end] = change.lines
    return "\n".join(lines) + "\n"


def _config(source: str) -> ast.ClassDef:
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef) and any(
            "AppConfig" in ast.unparse(b) for b in node.bases
        ):
            return node
    raise LookupError("no AppConfig")


def _is_ready(node: ast.stmt) -> bool:
    return isinstance(node, ast.FunctionDef) and node.name == "ready"


def _imports(module: str, service: str) -> list[str]:
    found = {module: service, REGISTRY: LISTING}
    return [f"{_BODY}from {name} import {found[name]}" for name in sorted(found)]


def _in_ready(ready: ast.FunctionDef, module: str, service: str) -> Iterator[_Change]:
    imported = [node for node in ready.body if isinstance(node, ast.Import | ast.ImportFrom)]
    known = [node for node in imported if isinstance(node, ast.ImportFrom)]
    yield from _imported(ready, imported, module, service)
    if registry := next((node for node in known if node.module == REGISTRY), None):
        yield from _merged(registry)
    else:
        yield from _imported(ready, imported, REGISTRY, LISTING)
    yield _Change(_end(ready), _end(ready), [f"{_BODY}{LISTING}({service})"])


def _imported(
    ready: ast.FunctionDef, imported: list[Imported], module: str, name: str
) -> Iterator[_Change]:
    """Where the import belongs in the order of the others."""
    line = f"{_BODY}from {module} import {name}"
    own = [
        node
        for node in imported
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("apps.")
    ]
    later = next((node for node in own if (node.module or "") > module), None)
    if later is not None:
        place, lines = later.lineno - 1, [line]
    elif own:
        place, lines = _end(own[-1]), [line]
    elif imported:
        place, lines = _end(imported[-1]), ["", line] if module != REGISTRY else [line]
    else:
        place, lines = _first_line(ready), [line] if module != REGISTRY else [line, ""]
    yield _Change(place, place, lines)


def _first_line(ready: ast.FunctionDef) -> int:
    """Below the docstring."""
    first = ready.body[0]
    is_text = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    return _end(first) if is_text else first.lineno - 1


def _merged(registry: ast.ImportFrom) -> Iterator[_Change]:
    names = {alias.name for alias in registry.names}
    if LISTING in names:
        return
    told = sorted({*names, LISTING}, key=lambda n: (not n.isupper(), not n[0].isupper(), n))
    line = f"{_BODY}from {REGISTRY} import {', '.join(told)}"
    yield _Change(registry.lineno - 1, _end(registry), [line])


def _end(node: ast.stmt) -> int:
    return node.end_lineno or node.lineno
