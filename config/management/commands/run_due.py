"""`manage.py run_due [--at ISO]`: every scheduled job once; exit 1 when one failed."""

from argparse import ArgumentTypeError
from contextlib import nullcontext
from datetime import UTC, datetime

from django.core.management.base import BaseCommand, CommandError, CommandParser

from apps.audit.sanitizer import redact_secrets
from apps.lib import clock
from config.scheduled import run_all


class Command(BaseCommand):
    """Needs neither broker, worker nor beat; safe beside them."""

    help = "Run every scheduled job once, in order, as if it were the time given."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--at", type=moment, help="an ISO time; without an offset, UTC")

    def handle(self, *args: object, at: datetime | None, **options: object) -> None:
        failed = []
        with clock.moved_to(at) if at else nullcontext():
            for outcome in run_all():
                said = f"failed: {redact_secrets(outcome.error)}" if outcome.error else "done"
                self.stdout.write(f"{outcome.name}: {said} ({outcome.seconds:.2f} s)")
                if outcome.error:
                    failed.append(outcome.name)
        if failed:
            raise CommandError(f"failed: {', '.join(failed)}")


def moment(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text)
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is no time, as 2026-01-31T08:00:00+08:00 is") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)
