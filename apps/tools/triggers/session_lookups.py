"""Services that look up what `session_details` tells: a sign that the context is too narrow."""

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from apps.tools.triggers.sources import Service, called, services
from apps.tools.triggers.trigger import Trigger

BOUND = 3
FIELDS = frozenset(
    {
        "locale", "permission_mode", "plan_mode", "permissions", "department", "region",
        "get_all_permissions", "get_user_permissions", "get_group_permissions", "has_perm",
    }
)  # fmt: skip
HELPER, TOLD = "session_details", "SessionDetails"
_HOLDERS = frozenset({"user", "session", "conversation"})
_MEANT = re.compile(r"user|session|conversation|actor", re.IGNORECASE)
_QUERIES = frozenset({"values", "values_list", "only"})


def measure(folders: Iterable[Path]) -> Trigger:
    """A service counts once, however often it does it."""
    found = {
        service.name: sorted(fields)
        for service in services(folders)
        if (fields := set(looked_up(service)))
    }
    evidence = tuple(f"{name} ({', '.join(fields)})" for name, fields in sorted(found.items()))
    measured = f"{len(found)} services look session fields up again, from {BOUND} on it counts"
    return Trigger(
        name="session_lookups", met=len(found) >= BOUND, measured=measured, evidence=evidence
    )


def looked_up(service: Service) -> Iterator[str]:
    """The fields that it reads off a user, session or conversation by itself."""
    methods = [node for node in service.node.body if isinstance(node, ast.FunctionDef)]
    used = {
        called(node.func)
        for method in methods
        for node in ast.walk(method)
        if isinstance(node, ast.Call)
    }
    for function in (*methods, *(helper for helper in service.helpers if helper.name in used)):
        yield from _Reading(function).fields()


class _Reading:
    """One function: which of its names hold a session, and what is read off them."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self._function = function
        self._told = {a.arg for a in function.args.args if _is_told(a.annotation)}
        self._told |= {name for name, value in _assigned(function) if _is_helper(value)}
        self._held: set[str] = set()
        for _round in range(3):  # names of names of names
            self._held |= {name for name, value in _assigned(function) if self._is_session(value)}

    def fields(self) -> Iterator[str]:
        for node in ast.walk(self._function):
            match node:
                case ast.Attribute(attr=name, value=base) if name in FIELDS:
                    yield from [name] if self._is_session(base) else []
                case ast.Call(func=func) if called(func) in _QUERIES and self._is_session(node):
                    yield from _named(node)

    def _is_session(self, value: ast.expr) -> bool:
        match value:
            case ast.Name(id=name):
                return name not in self._told and (name in _HOLDERS or name in self._held)
            case ast.Attribute(attr=name):
                return name in _HOLDERS
            case ast.Call(func=ast.Attribute(value=ast.Name(id=name))) if name in self._told:
                return False
            case ast.Call():
                return not _is_helper(value) and any(map(_MEANT.search, _words(value)))
        return False


def _is_helper(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and called(value.func) == HELPER


def _is_told(annotation: ast.expr | None) -> bool:
    return annotation is not None and TOLD in ast.unparse(annotation)


def _assigned(function: ast.FunctionDef) -> Iterator[tuple[str, ast.expr]]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, value
            case ast.NamedExpr(target=ast.Name(id=name), value=value):
                yield name, value


def _words(call: ast.Call) -> Iterator[str]:
    """What is called, and which classes are handed in: `get_object_or_404(User, …)`."""
    for node in ast.walk(call.func):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
    yield from (argument.id for argument in call.args if isinstance(argument, ast.Name))


def _named(query: ast.Call) -> Iterator[str]:
    """The fields that a query asks for by their names."""
    for argument in query.args:
        if isinstance(argument, ast.Constant) and argument.value in FIELDS:
            yield str(argument.value)
