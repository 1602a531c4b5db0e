"""`manage.py purge_audit [--before DATE] [--dry-run]`."""

from argparse import ArgumentParser
from collections import Counter
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from apps.audit.days import day_begins
from apps.audit.services.purge import TooYoungError, purge


class Command(BaseCommand):
    """Removes closed, unheld segments behind anchors; `verify_audit` stays green."""

    help = (
        "Purge audit rows older than the retention (AUDIT_RETENTION_DAYS). What is younger, open"
        " or under a legal hold stays, with all that follows it in its chain."
        " Exit code: 0 done, 1 refused, 2 usage."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        zone = settings.TIME_ZONE
        parser.add_argument(
            "--before", type=day_begins, metavar="DATE", help=f"older than this day ({zone})"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")

    def handle(self, *args: Any, **options: Any) -> None:
        dry_run = options["dry_run"]
        counts: Counter[str] = Counter()
        try:
            for segment in purge(before=options["before"], dry_run=dry_run):
                counts[segment.table] += segment.rows
                self.stderr.write(f"{segment.table} {segment.chain} {segment.first}-{segment.last}")
        except TooYoungError as error:
            raise CommandError(
                f"Rows since {error.latest.isoformat()} must stay for"
                f" {settings.AUDIT_RETENTION_DAYS} days: name an earlier day, or none."
            ) from error
        verb = "would be purged" if dry_run else "purged"
        for table, rows in sorted(counts.items()):
            self.stdout.write(f"{table}: {rows} rows {verb}")
        self.stdout.write(f"{counts.total()} rows {verb}")
