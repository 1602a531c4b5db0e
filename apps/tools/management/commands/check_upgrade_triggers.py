"""`manage.py check_upgrade_triggers`: what was measured; exit 1 when a trigger is met."""

from django.core.management.base import BaseCommand, CommandError

from apps.tools.services.upgrade_triggers import measure


class Command(BaseCommand):
    """Reports only; the daily job is what raises alert and task."""

    help = "Measure whether the contract of tools has become too narrow."

    def handle(self, *args: object, **options: object) -> None:
        triggers = measure()
        for trigger in triggers:
            state = "MET" if trigger.met else "not met"
            self.stdout.write(f"{trigger.name}: {state}: {trigger.measured}")
            for line in trigger.evidence:
                self.stdout.write(f"  {line}")
        if met := [trigger.name for trigger in triggers if trigger.met]:
            raise CommandError(f"met: {', '.join(met)}")
