"""`manage.py verify_audit`: are all chains whole?"""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.audit.ledger import verify
from apps.audit.models import Seal

STEP = 100_000


class Command(BaseCommand):
    """Names the first bad row of each chain; reads only, and may run beside everything else."""

    help = "Verify the hash chains of the audit. Exit code: 0 whole, 1 not."

    def handle(self, *args: Any, **options: Any) -> None:
        self._count = 0
        broken = 0
        for bad in verify(self._counted):
            broken += 1
            self.stdout.write(str(bad))
        seal = Seal.objects.order_by("-pk").first()
        last = f"last seal {seal.digest} at {seal.at.isoformat()}" if seal else "no seal yet"
        self.stdout.write(f"{self._count} rows, {last}")
        if broken:
            raise CommandError(f"The audit is not whole: {broken} broken chains.")
        self.stdout.write("The audit is whole.")

    def _counted(self, rows: int) -> None:
        before, self._count = self._count, self._count + rows
        if before // STEP != self._count // STEP:
            self.stderr.write(f"{self._count} rows verified")
