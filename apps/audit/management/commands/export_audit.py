"""`manage.py export_audit --from DATE --to DATE [--format jsonl|csv]`."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from apps.audit.days import day_begins, day_ends
from apps.audit.export_formats import FORMATS
from apps.audit.search import Criteria
from apps.audit.services.export import export_by_command


class Command(BaseCommand):
    """Writes the rows of all organisations to standard output, oldest first."""

    help = (
        "Export audit rows as JSON Lines or CSV. Days are whole and inclusive, in the project's"
        f" time zone ({settings.TIME_ZONE})."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        for flag, dest, reads, text in (
            ("--from", "since", day_begins, "the first day"),
            ("--to", "until", day_ends, "the last day"),
        ):
            parser.add_argument(
                flag, dest=dest, type=reads, metavar="DATE", required=True, help=text
            )
        parser.add_argument("--format", dest="kind", choices=sorted(FORMATS), default="jsonl")
        for name in ("user", "agent", "tool", "trace", "outcome"):
            parser.add_argument(f"--{name}", default="", help=f"only this {name}")

    def handle(self, *args: Any, **options: Any) -> None:
        criteria = Criteria(
            username=options["user"],
            agent=options["agent"],
            tool=options["tool"],
            trace_id=options["trace"],
            outcome=options["outcome"],
            since=options["since"],
            until=options["until"],
        )
        for piece in export_by_command(criteria=criteria, kind=options["kind"]):
            self.stdout.write(piece, ending="")
