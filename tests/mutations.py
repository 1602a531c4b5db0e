"""Does a test of a requirement fail when the requirement is broken? `python -m tests.mutations`.

Each `Mutation` breaks one behaviour by replacing a piece of source in a copy of the repository; the
tests it names must then fail. `--only REQ` runs one, `--list` shows them all. What only
services show runs where DATABASE_URL and REDIS_URL name them; elsewhere it is said to be left out.
"""

import argparse
import ast
import importlib
import os
import pkgutil
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
_LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "var", "node_modules", "__pycache__", ".*_cache", "staticfiles"
)


@dataclass(frozen=True, kw_only=True)
class Mutation:
    """One behaviour broken: in `file`, `find` (found exactly once) becomes `replace`.

    `services` when only PostgreSQL or Redis shows the difference.
    """

    req: str
    file: str
    find: str
    replace: str
    tests: str
    services: bool = False


def all_mutations() -> list[Mutation]:
    """Those of every list, in the order of their requirements."""
    package = importlib.import_module("tests.mutation_lists")
    found: list[Mutation] = []
    for module in pkgutil.iter_modules(package.__path__):
        found += importlib.import_module(f"tests.mutation_lists.{module.name}").MUTATIONS
    return sorted(found, key=lambda mutation: (*_place(mutation.req), mutation.file))


def _place(req: str) -> tuple[str, int]:
    """`TOOL-5` before `TOOL-12`, `S04` among its own."""
    letters = req.rstrip("0123456789")
    return letters, int(req[len(letters) :])


def marked_requirements() -> set[str]:
    """Every requirement that a test names by its marker."""
    return {req for path in (ROOT / "tests").rglob("test_*.py") for req in _marked_in(path)}


def _marked_in(path: Path) -> Iterator[str]:
    if "node_modules" in path.parts:
        return
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "req":
            named = (arg.value for arg in node.args if isinstance(arg, ast.Constant))
            yield from (req for req in named if isinstance(req, str))


def fault_of(mutation: Mutation) -> str:
    """Why the mutation cannot be applied; empty when it can."""
    path = ROOT / mutation.file
    if not path.is_file():
        return "no such file"
    count = path.read_text("utf-8").count(mutation.find)
    return "" if count == 1 else f"the text to find is there {count} times"


def missing_services() -> str:
    """The variables that name no service yet, as a sentence; empty when both do."""
    names = [name for name in ("DATABASE_URL", "REDIS_URL") if not os.environ.get(name)]
    return f"needs {' and '.join(names)}" if names else ""


def survives(mutation: Mutation) -> bool:
    """Whether the tests stay green although the behaviour is broken."""
    with tempfile.TemporaryDirectory(prefix="steward-mutation-") as folder:
        copy = Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=_LEFT_OUT)
        target = copy / mutation.file
        text = target.read_text("utf-8")
        target.write_text(text.replace(mutation.find, mutation.replace), "utf-8")
        environment = {k: v for k, v in os.environ.items() if k != "STEWARD_VAR"}
        if mutation.tests.startswith("tests/browser"):
            environment["BROWSER_TESTS"] = "only"
        done = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", "-x", *mutation.tests.split()],
            cwd=copy,
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    if done.returncode not in (0, 1) and not re.search(r"\berrors?\b", done.stdout):
        raise SystemExit(
            f"{mutation.req}: the tests did not run\n{done.stdout[-2000:]}{done.stderr}"
        )
    return done.returncode == 0


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", help="a requirement")
    parser.add_argument("--list", action="store_true", help="show them, run none")
    options = parser.parse_args(arguments)
    chosen = [m for m in all_mutations() if options.only in (None, m.req)]
    if options.list:
        say(*(f"{m.req:10} {m.file}: {m.find!r}" for m in chosen))
        return 0
    failures = [] if options.only else unguarded()
    for number, mutation in enumerate(chosen, start=1):
        said, failed = verdict_of(mutation)
        say(f"{number}/{len(chosen)} {mutation.req:10} {mutation.file} {said}")
        failures += [f"{mutation.req}: {said}"] if failed else []
    say(*failures)
    return 1 if failures else 0


def verdict_of(mutation: Mutation) -> tuple[str, bool]:
    """What to say of it, and whether that is a failure; what cannot run here is none."""
    if fault := fault_of(mutation):
        return fault, True
    if mutation.services and (needs := missing_services()):
        return needs, False
    return ("STAYED GREEN", True) if survives(mutation) else ("caught", False)


def unguarded() -> list[str]:
    known = {m.req for m in all_mutations()}
    return [f"{req}: no mutation breaks it" for req in sorted(marked_requirements() - known)]


def say(*lines: str) -> None:
    for line in lines:
        sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
