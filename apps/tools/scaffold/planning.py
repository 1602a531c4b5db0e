"""Which files a new tool needs, and why there may be none; nothing is written here."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from apps.tools.registry.building import NAME
from apps.tools.registry.catalogue import catalogue
from apps.tools.scaffold.listing import listed
from apps.tools.scaffold.texts import SERVICE, TEST

LONGEST = 64
PLATFORM = frozenset(
    {"accounts", "agents", "audit", "conversations", "lib", "protocols", "runtime", "skills",
     "tools"}
)  # fmt: skip


class ScaffoldError(Exception):
    """No such tool can be begun; the text says what to give instead."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What every file will hold, by its path; `service` is what was listed."""

    files: Mapping[Path, str]
    service: str


def planned(*, root: Path, app: str, name: str, writes: bool, known: Mapping[str, Path]) -> Plan:
    """The files of the tool; `known` are the apps' folders by their short names."""
    folder = _folder(app.removeprefix("apps."), known)
    _check_name(name)
    stem = "".join(part.capitalize() for part in name.split("_"))
    module = "tools" if not (folder / "tools.py").exists() else name
    test = root / "tests" / folder.name / f"test_{name}.py"
    texts = {"name": name, "stem": stem, "method": name, "writes": str(writes)}
    files = {folder / f"{module}.py": SERVICE.substitute(texts), test: TEST.substitute(texts)}
    if taken := next((path for path in files if path.exists()), None):
        raise ScaffoldError(f"{taken} is there already. Choose another name, or remove it.")
    if not (package := test.parent / "__init__.py").exists():
        files[package] = ""
    place = f"apps.{folder.name}.{module}"
    files[folder / "apps.py"] = _listing(folder / "apps.py", place, f"{stem}Tools")
    return Plan(files=files, service=f"{place}.{stem}Tools")


def _folder(app: str, known: Mapping[str, Path]) -> Path:
    business = sorted(set(known) - PLATFORM)
    if app in PLATFORM:
        raise ScaffoldError(
            f"{app} is part of the platform; tools belong to a business app: {', '.join(business)}."
        )
    if app not in known:
        raise ScaffoldError(f"There is no app {app!r}. The business apps: {', '.join(business)}.")
    return known[app]


def _check_name(name: str) -> None:
    if not NAME.fullmatch(name) or len(name) > LONGEST:
        raise ScaffoldError(
            f"{name!r} is no name for a tool: snake_case <domain>_<action>, two parts or more, "
            f"lower case, no dots, at most {LONGEST} characters, as in student_rename."
        )
    if found := catalogue.get(name):
        raise ScaffoldError(f"Tool already registered: {name} ({found.service}).")


def _listing(path: Path, module: str, service: str) -> str:
    try:
        return listed(path.read_text("utf-8"), module, service)
    except (FileNotFoundError, LookupError) as error:
        raise ScaffoldError(
            f"{path} has no AppConfig in which the tool could be listed."
        ) from error
