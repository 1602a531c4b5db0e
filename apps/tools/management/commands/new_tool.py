"""`manage.py new_tool APP NAME [--write] [--dry-run]`."""

import difflib
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.tools.scaffold import Plan, ScaffoldError, planned

NEXT = """
It works as it is: python -m pytest {test}
Then:
1. Rewrite DESCRIPTION, the input and the method; state permission= where a right is needed.
2. Wrap what people read in gettext, run `python -m tests.translations --write`, and fill in the
   English in locale/en/LC_MESSAGES/django.po.
3. Add a call to CALLS in tests/tools/test_surface.py and the tool to
   tests/data/provider_tools.json; run `manage.py export_surface_area`.
docs/developers/add-a-tool.md explains each step."""


class Command(BaseCommand):
    """Writes a small tool that works, its test, and its line in the app's list."""

    help = "Begin a tool: a service, its test, and its registration. Exit code: 0 done, 1 refused."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("app", metavar="APP", help="a business app, as in students")
        parser.add_argument("name", metavar="NAME", help="snake_case, as in student_rename")
        parser.add_argument("--write", action="store_true", help="the tool changes something")
        parser.add_argument("--dry-run", action="store_true", help="show it, write nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        root = Path(settings.ROOT)
        try:
            plan = planned(
                root=root,
                app=options["app"],
                name=options["name"],
                writes=options["write"],
                known=_own_apps(),
            )
        except ScaffoldError as error:
            raise CommandError(str(error)) from error
        if options["dry_run"]:
            self.stdout.write("\n".join(_differences(plan, root)))
            return
        for path, text in plan.files.items():
            word = "changed" if path.exists() else "created"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            self.stdout.write(f"{word} {path.relative_to(root)}")
        test = f"tests/{options['app'].removeprefix('apps.')}/test_{options['name']}.py"
        self.stdout.write(NEXT.format(test=test))


def _own_apps() -> dict[str, Path]:
    """The folders of our apps by their short names."""
    configs = [config for config in apps.get_app_configs() if config.name.startswith("apps.")]
    return {config.name.removeprefix("apps."): Path(config.path) for config in configs}


def _differences(plan: Plan, root: Path) -> Iterator[str]:
    for path, text in plan.files.items():
        name = str(path.relative_to(root))
        before = path.read_text("utf-8").splitlines() if path.exists() else []
        yield from difflib.unified_diff(before, text.splitlines(), name, name, lineterm="")
