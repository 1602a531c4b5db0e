"""`manage.py check_tools`: everything that is wrong with the declared tools; exit 1 if anything."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.tools.checks import check_registry, check_sources
from apps.tools.registry import catalogue


class Command(BaseCommand):
    """For CI, and for authors of tools."""

    help = "Check the declared tools: names, signatures, statements, unlisted services."
    requires_system_checks = ()

    def handle(self, *args: Any, **options: Any) -> None:
        faults = [*check_registry(None), *check_sources(None)]
        if faults:
            raise CommandError("\n".join(str(fault.msg) for fault in faults))
        self.stdout.write(f"{len(catalogue.all())} tools, no faults")
