"""`manage.py sweep_audit`: close and write what is open, here and now."""

from django.core.management.base import BaseCommand

from apps.tools.services.after import write_open


class Command(BaseCommand):
    """Needs neither broker nor worker; safe to run at any time, and beside others."""

    help = "Close what a crash left open in the audit, and write what is due."

    def handle(self, *args: object, **options: object) -> None:
        closed, orphans, sent = write_open()
        self.stdout.write(f"{closed} calls closed, {orphans} orphans, {sent} rows tried")
