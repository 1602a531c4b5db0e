"""`manage.py publish_agent CODE [--note TEXT] [--as USER]`."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.agents.services.publish import publish_agent
from apps.lib.problem import RefusedError


class Command(BaseCommand):
    """Make an agent's draft live; prints the version now live as the last word."""

    help = "Publish an agent's draft. Exit code: 0 done or unchanged, 1 refused, 2 usage."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", metavar="CODE")
        parser.add_argument("--note", default="", help="why, kept with the record")
        parser.add_argument(
            "--as", dest="username", metavar="USER", help="who publishes; else the first superuser"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        agent = Agent.objects.filter(code=options["code"]).first()
        if agent is None:
            raise CommandError(f"There is no agent {options['code']}.")
        before, actor = agent.live_id, _actor(options["username"])
        try:
            record = publish_agent(agent=agent, actor=actor, note=options["note"])
        except RefusedError as error:
            raise CommandError(error.problem.detail) from error
        word = "unchanged" if record.pk == before else "published"
        self.stdout.write(f"{agent.code} {word} {record.version}")


def _actor(username: str | None) -> Actor:
    people = User.objects.filter(is_active=True)
    named = people.filter(username=username) if username else people.filter(is_superuser=True)
    user = named.order_by("pk").first()
    if user is None:
        raise CommandError("Nobody to publish as: name an active user with --as USER.")
    return Actor.of(user)
