"""The ES modules of our pages as a graph, read from the files themselves: nobody keeps a list."""

import posixpath
import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders

IMPORT = r'(?P<statement>(?:import|export)\b(?:[^"\';]*\bfrom)?\s*)"(?P<url>\.{1,2}/[^"]+)";'
"""A static import or re-export at the start of a line, which no comment has."""
_IMPORT = re.compile(f"(?m)^{IMPORT}")


@cache
def modules_of(name: str) -> tuple[str, ...]:
    """All that a module leads to and itself, each behind what it imports."""
    found: dict[str, None] = {}
    _visit(name, found, ())
    return tuple(found)


def imports_of(name: str, text: str) -> list[str]:
    folder = posixpath.dirname(name)
    return [posixpath.normpath(f"{folder}/{one['url']}") for one in _IMPORT.finditer(text)]


def _visit(name: str, found: dict[str, None], above: tuple[str, ...]) -> None:
    if name in found or name in above:
        return
    path = finders.find(name)
    if path is None:
        raise FileNotFoundError(name)
    for imported in imports_of(name, Path(path).read_text("utf-8")):
        _visit(imported, found, (*above, name))
    found[name] = None
