"""Tools that take JSON inside a string: what a schema of their own would say better."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from apps.tools.registry import ToolDescriptor
from apps.tools.triggers.sources import called, names_in, services, spread
from apps.tools.triggers.trigger import Trigger

BOUND = 3
_PARSERS = frozenset({"loads", "raw_decode", "parse_json", "decode_json", "literal_eval"})
_NAMED = re.compile(r"(?:.*_)?json(?:_.*)?|.*[a-z]J(?:SON|son)(?:[A-Z].*)?", re.ASCII)
_SAID = re.compile(r"\bJSON\b(?!\s*(?:file|文件|schema))", re.IGNORECASE | re.ASCII)


def measure(tools: Iterable[ToolDescriptor], folders: Iterable[Path]) -> Trigger:
    """By what the schemas say, and by what the methods do with their input."""
    found = {tool.name: place for tool in tools for place in said(tool.schema)}
    for service in services(folders):
        for name, method in service.tools():
            if parses_input(method, service.helpers):
                found.setdefault(name, f"{service.name}.{method.name} parses its input")
    evidence = tuple(f"{name} ({place})" for name, place in sorted(found.items()))
    measured = f"{len(found)} tools take JSON in a string, from {BOUND} on it counts"
    return Trigger(
        name="json_in_string", met=len(found) >= BOUND, measured=measured, evidence=evidence
    )


def said(schema: Mapping[str, Any]) -> Iterator[str]:
    """The text properties that are meant to hold JSON, at any depth."""
    for name, inner in schema.get("properties", {}).items():
        if isinstance(inner, Mapping):
            if _is_text(inner) and _means_json(name, inner):
                yield name
            yield from said(inner)
    for key in ("items", "additionalProperties"):
        if isinstance(schema.get(key), Mapping):
            yield from said(schema[key])
    for key in ("anyOf", "oneOf", "allOf"):
        for inner in schema.get(key, ()):
            if isinstance(inner, Mapping):
                yield from said(inner)


def _is_text(schema: Mapping[str, Any]) -> bool:
    kind = schema.get("type")
    return kind == "string" or (isinstance(kind, list) and "string" in kind)


def _means_json(name: str, schema: Mapping[str, Any]) -> bool:
    media = str(schema.get("contentMediaType", ""))
    return (
        media.endswith("json")
        or schema.get("format") == "json"
        or _NAMED.fullmatch(name) is not None
        or _SAID.search(str(schema.get("description", ""))) is not None
    )


def parses_input(method: ast.FunctionDef, helpers: Iterable[ast.FunctionDef]) -> bool:
    """Whether it, or a function of its module that gets the input, reads JSON out of it."""
    known = spread(method, {"input"})
    if any(_parses(node, known) for node in ast.walk(method)):
        return True
    return any(
        any(_parses(node, spread(helper, taken)) for node in ast.walk(helper))
        for helper in helpers
        if (taken := _taken(method, helper, known))
    )


def _parses(node: ast.AST, known: set[str]) -> bool:
    return (
        isinstance(node, ast.Call)
        and called(node.func) in _PARSERS
        and any(names_in(argument) & known for argument in node.args)
    )


def _taken(method: ast.FunctionDef, helper: ast.FunctionDef, known: set[str]) -> set[str]:
    """The parameters in which the helper gets something of the input."""
    names = [argument.arg for argument in helper.args.args]
    taken: set[str] = set()
    for node in ast.walk(method):
        if isinstance(node, ast.Call) and called(node.func) == helper.name:
            given = zip(names, node.args, strict=False)
            taken |= {name for name, value in given if names_in(value) & known}
            taken |= {k.arg for k in node.keywords if k.arg and names_in(k.value) & known}
    return taken
