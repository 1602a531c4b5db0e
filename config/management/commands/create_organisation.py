"""`manage.py create_organisation CODE NAME`: the first row of an installation without a demo."""

from argparse import ArgumentParser

from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from apps.accounts.models import Organisation
from config.providers import default_provider


class Command(BaseCommand):
    """Makes an organisation with its provider `default`; prints its number for createsuperuser."""

    help = "Make an organisation and, from the environment, its provider `default`."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("code", help="a short name of letters, digits and hyphens")
        parser.add_argument("name", help="what people read")

    @transaction.atomic
    def handle(self, *args: object, code: str, name: str, **options: object) -> None:
        organisation = Organisation(code=code, name=name)
        try:
            organisation.full_clean()
        except ValidationError as error:
            raise CommandError("; ".join(error.messages)) from error
        organisation.save()
        default_provider(organisation)
        self.stdout.write(f"Organisation {code} has number {organisation.pk}")
