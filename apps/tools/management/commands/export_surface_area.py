"""`manage.py export_surface_area [--check]`: `docs/agent-surface-area.md`."""

import difflib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.tools.surface import surface_document

DOCUMENT = Path("docs") / "agent-surface-area.md"


class Command(BaseCommand):
    """Writes the document, or with --check says how it differs and exits 1."""

    help = "Write docs/agent-surface-area.md; with --check, fail when it is out of date."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        path = Path(settings.ROOT) / DOCUMENT
        wanted = surface_document()
        if options["check"]:
            self._compare(path, wanted)
            return
        path.parent.mkdir(exist_ok=True)
        path.write_text(wanted, encoding="utf-8")
        self.stdout.write(f"wrote {DOCUMENT}")

    def _compare(self, path: Path, wanted: str) -> None:
        found = path.read_text(encoding="utf-8") if path.exists() else ""
        if found == wanted:
            self.stdout.write(f"{DOCUMENT} is up to date")
            return
        lines = difflib.unified_diff(found.splitlines(), wanted.splitlines(), lineterm="", n=1)
        text = "\n".join(lines)
        raise CommandError(f"{DOCUMENT} is out of date, run export_surface_area:\n{text}")
