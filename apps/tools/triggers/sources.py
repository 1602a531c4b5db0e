"""The tool services of our own apps, as source: what they do is read, never run."""

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from apps.tools.static_check import DECORATOR, is_marked


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """A class with tools; `helpers` are the functions of its module."""

    name: str
    node: ast.ClassDef
    helpers: tuple[ast.FunctionDef, ...]

    def tools(self) -> Iterator[tuple[str, ast.FunctionDef]]:
        """Each tool's name with its method."""
        for node in self.node.body:
            if isinstance(node, ast.FunctionDef) and is_marked(node):
                yield _tool_name(node), node


def services(folders: Iterable[Path]) -> Iterator[Service]:
    """Of these apps' folders, in the order of their names."""
    for folder in folders:
        for file in sorted(folder.rglob("*.py")):
            text = file.read_text(encoding="utf-8")
            if DECORATOR in text:
                yield from _services(ast.parse(text, str(file)))


def _services(tree: ast.Module) -> Iterator[Service]:
    helpers = tuple(node for node in tree.body if isinstance(node, ast.FunctionDef))
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef) and any(map(is_marked, node.body)):
            yield Service(name=node.name, node=node, helpers=helpers)


def _tool_name(node: ast.FunctionDef) -> str:
    """The first argument of the mark, where it is written out."""
    for mark in node.decorator_list:
        if isinstance(mark, ast.Call) and mark.args and isinstance(mark.args[0], ast.Constant):
            return str(mark.args[0].value)
    return node.name


def names_in(node: ast.AST) -> set[str]:
    """Every plain name that is used in it."""
    return {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}


def called(node: ast.expr) -> str:
    """`f` and `module.f` are both f."""
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def spread(node: ast.AST, seeds: set[str]) -> set[str]:
    """The names that hold something made from one of the seeds, by plain assignment."""
    known, before = set(seeds), -1
    while len(known) != before:
        before = len(known)
        for targets, value in _assignments(node):
            if names_in(value) & known:
                known |= {name for target in targets for name in names_in(target)}
    return known


def _assignments(node: ast.AST) -> Iterator[tuple[list[ast.expr], ast.expr]]:
    for inner in ast.walk(node):
        match inner:
            case ast.Assign(targets=targets, value=value):
                yield targets, value
            case ast.AnnAssign(target=target, value=ast.expr() as value):
                yield [target], value
            case ast.NamedExpr(target=target, value=value):
                yield [target], value
