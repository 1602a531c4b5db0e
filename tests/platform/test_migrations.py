"""The database that migrations make: complete, protected, and in step with the models."""

import pytest
from django.core.management import call_command
from django.db import connection

from apps.lib.immutable import missing_triggers


@pytest.mark.django_db
def test_from_zero_every_trigger_stands() -> None:
    assert missing_triggers(connection) == []


@pytest.mark.django_db
def test_models_and_migrations_agree() -> None:
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)
