"""A tool that the command begins works at once, in a copy of the tree."""

import os
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from apps.tools.scaffold import ScaffoldError, listed, planned

ROOT = Path(__file__).parents[2]
COPIED = ("apps", "config", "stubs", "tests", "templates", "locale", "static")
FILES = ("manage.py", "pyproject.toml")
HEAD = "from django.apps import AppConfig\n\n\nclass Zoo(AppConfig):\n    name = 'zoo'\n"
DOOR = "        from apps.tools.registry import register_tools\n"


# What the static checks left there, where they ran: the tree is the same but for what is begun.
CACHE = ROOT / ".mypy_cache"


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of everything that a command, a test and the checkers need."""
    ignored = shutil.ignore_patterns("__pycache__", "node_modules", "evidence")
    for name in COPIED:
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in FILES:
        shutil.copy(ROOT / name, tmp_path)
    return tmp_path


def run(tree: Path, *command: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST", "DJANGO"))}
    environment |= {"APP_MODE": "test", "STEWARD_VAR": str(tree / "var")}
    done = subprocess.run(
        [sys.executable, *command],
        cwd=tree,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}{done.stderr}"
    return done.stdout


def add_app(tree: Path, app: str) -> None:
    """A business app with nothing in it yet."""
    folder = tree / "apps" / app
    folder.mkdir()
    (folder / "__init__.py").write_text('"""A zoo."""\n')
    named = f'"""A zoo."""\n\n    name = "apps.{app}"'
    (folder / "apps.py").write_text(HEAD.replace("name = 'zoo'", named))
    settings = tree / "config" / "settings.py"
    line = '    "apps.students",\n'
    settings.write_text(settings.read_text().replace(line, f'{line}    "apps.{app}",\n'))


def test_begun_tools_work_at_once(tree: Path) -> None:
    add_app(tree, "zoo")
    told = run(tree, "manage.py", "new_tool", "students", "student_rename", "--write")
    told += run(tree, "manage.py", "new_tool", "apps.zoo", "zoo_feed")
    made = [
        "apps/students/student_rename.py", "apps/students/apps.py",
        "tests/students/test_student_rename.py",
        "apps/zoo/tools.py", "apps/zoo/apps.py", "tests/zoo/test_zoo_feed.py",
    ]  # fmt: skip
    assert [path for path in made if path not in told] == []
    assert "tests.translations" in told
    run(tree, "-m", "ruff", "check", *made)
    run(tree, "-m", "ruff", "format", "--check", *made)
    run(tree, "-m", "mypy", "--cache-dir", str(CACHE), *made)
    assert "11 tools" in run(tree, "manage.py", "check_tools")
    assert "8 passed" in run(tree, "-m", "pytest", "-q", made[2], made[5])


@pytest.mark.parametrize(
    ("app", "name", "told"),
    [
        ("nowhere", "student_rename", "students"),
        ("conversations", "student_rename", "part of the platform"),
        ("students", "rename", "two parts"),
        ("students", "Student_Rename", "snake_case"),
        ("students", "student.rename", "no dots"),
        ("students", "../student_rename", "snake_case"),
        ("../students", "student_rename", "no app"),
        ("students", "create_student", r"already registered: create_student \(apps.students"),
        ("students", "time_now", "already registered"),
        ("students", "student_" + "x" * 60, "64"),
    ],
)
def test_what_cannot_be_begun_is_refused(app: str, name: str, told: str) -> None:
    with pytest.raises(CommandError, match=told):
        call_command("new_tool", app, name)


def test_a_dry_run_writes_nothing() -> None:
    said = StringIO()
    before = (ROOT / "apps/students/apps.py").read_text()
    call_command("new_tool", "students", "student_count", "--dry-run", stdout=said)
    assert "+class StudentCountTools:" in said.getvalue()
    assert "+        register_tools(StudentCountTools)" in said.getvalue()
    assert (ROOT / "apps/students/apps.py").read_text() == before
    assert not (ROOT / "apps/students/student_count.py").exists()


@pytest.mark.parametrize("path", ["apps/zoo/zoo_feed.py", "tests/zoo/test_zoo_feed.py"])
def test_a_file_that_is_there_is_left_alone(tmp_path: Path, path: str) -> None:
    folder = tmp_path / "apps" / "zoo"
    for taken in (folder / "tools.py", folder / "apps.py", tmp_path / path):
        taken.parent.mkdir(parents=True, exist_ok=True)
        taken.write_text(HEAD)
    with pytest.raises(ScaffoldError, match="is there already"):
        planned(root=tmp_path, app="zoo", name="zoo_feed", writes=False, known={"zoo": folder})


@pytest.mark.parametrize(
    ("ready", "wanted"),
    [
        (
            "",
            "\n    def ready(self) -> None:\n" + DOOR.replace("tools.registry", "m")
            .replace("register_tools", "S") + DOOR + "\n        register_tools(S)\n",
        ),
        (
            "\n    def ready(self) -> None:\n        import logging\n\n        logging.info('x')\n",
            "\n    def ready(self) -> None:\n        import logging\n\n"
            "        from apps.m import S\n" + DOOR + "\n        logging.info('x')\n"
            "        register_tools(S)\n",
        ),
        (
            "\n    def ready(self) -> None:\n        from apps.tools.registry import catalogue\n"
            "        from apps.z import q\n\n        q(catalogue)\n",
            "\n    def ready(self) -> None:\n        from apps.m import S\n"
            "        from apps.tools.registry import catalogue, register_tools\n"
            "        from apps.z import q\n\n        q(catalogue)\n        register_tools(S)\n",
        ),
    ],
    ids=["no ready", "other imports", "merged"],
)  # fmt: skip
def test_the_list_keeps_what_stands(ready: str, wanted: str) -> None:
    assert listed(HEAD + ready, "apps.m", "S") == HEAD + wanted
