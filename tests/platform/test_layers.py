"""The import contracts: they hold, they are whole, and they would catch a breach."""

import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
LINT = Path(sys.executable).with_name("lint-imports")
DOORS = {
    "business-boundary": {"tools": {"registry"}, "agents": {"registry"}, "skills": {"registry"}},
    "forms-and-conversations": {"conversations": {"services", "registry", "models"}},
}


def contracts() -> dict[str, dict[str, Any]]:
    text = (ROOT / "pyproject.toml").read_text("utf-8")
    return {c["id"]: c for c in tomllib.loads(text)["tool"]["importlinter"]["contracts"]}


def beside_the_doors(contract: str) -> list[str]:
    """Every module and package directly inside the apps, but for their public doors."""
    found = ["apps.audit"] if contract == "business-boundary" else []
    for app, doors in DOORS[contract].items():
        for path in (ROOT / "apps" / app).iterdir():
            module = path.suffix == ".py" or (path / "__init__.py").exists()
            if module and path.stem not in {"__init__", "migrations", *doors}:
                found.append(f"apps.{app}.{path.stem}")
    return sorted(found)


def lint(root: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(LINT), "--no-cache"], cwd=root, capture_output=True, text=True, check=False
    )


def test_the_contracts_hold() -> None:
    done = lint(ROOT)
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.parametrize("contract", list(DOORS))
def test_every_module_beside_a_door_is_listed(contract: str) -> None:
    assert contracts()[contract]["forbidden_modules"] == beside_the_doors(contract)


def test_no_contract_has_exceptions() -> None:
    assert [c["id"] for c in contracts().values() if c.get("ignore_imports")] == []
    assert contracts()["layers"]["exhaustive"] is True


@pytest.mark.req("TOOL-24")
@pytest.mark.source("T14")
@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("apps/students/models.py", "from apps.tools import gateway", "through the registry only"),
        ("apps/forms/models.py", "import apps.agents.services", "through the registry only"),
        ("apps/students/models.py", "import apps.conversations.models", "nothing of conversations"),
        ("apps/lib/ids.py", "import apps.accounts.models", "Apps depend one way"),
        ("apps/runtime/loop.py", "import django.conf", "The runtime knows no framework"),
        ("apps/tools/gateway.py", "import apps.lib.bridge", "The governed call"),
        ("apps/agents/snapshot.py", "import config.settings", "composition root"),
    ],
)
def test_t14_a_planted_breach_is_found(tmp_path: Path, file: str, line: str, contract: str) -> None:
    for name in ("apps", "config"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    with (tmp_path / file).open("a", encoding="utf-8") as target:
        target.write(f"\n{line}\n")
    done = lint(tmp_path)
    assert done.returncode == 1
    broken = [row for row in done.stdout.splitlines() if row.rstrip().endswith("BROKEN")]
    assert any(contract in row for row in broken), done.stdout[-2000:]
