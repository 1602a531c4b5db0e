"""`manage.py seal`: what beat does every hour."""

from typing import Any

from django.core.management.base import BaseCommand

from apps.audit import seals


class Command(BaseCommand):
    """Keep what it prints, or the log, where the database's administrator cannot reach it."""

    help = "Seal where the audit's chains end; prints the seal's digest."

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(seals.seal().digest)
