"""`manage.py replay_dead_letters [--id N]`: do again what gave up; exit 1 if any fails again."""

from argparse import ArgumentParser

from django.core.management.base import BaseCommand, CommandError

from apps.audit.models import DeadLetter
from apps.audit.services.dead_letters import replay_by_command
from apps.lib.problem import RefusedError

CONFLICT = 409


class Command(BaseCommand):
    """Oldest first; safe to run again, and by several at a time."""

    help = "Replay the open dead letters, or the one with that number."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--id", type=int, help="the number of one dead letter")

    def handle(self, *args: object, id: int | None, **options: object) -> None:
        letters = DeadLetter.objects.filter(state=DeadLetter.State.OPEN).order_by("pk")
        numbers = [id] if id is not None else list(letters.values_list("pk", flat=True))
        failed = [number for number in numbers if not self._replay(number)]
        self.stdout.write(f"{len(numbers) - len(failed)} replayed, {len(failed)} failed")
        if failed:
            raise CommandError("not replayed: " + ", ".join(map(str, failed)))

    def _replay(self, number: int) -> bool:
        try:
            return replay_by_command(number)
        except RefusedError as error:
            self.stderr.write(f"{number}: {error.problem.detail}")
            return error.problem.status == CONFLICT  # somebody else was faster
