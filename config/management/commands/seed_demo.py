"""`manage.py seed_demo`: see `config/demo.py`."""

import os
import secrets
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config import demo


class Command(BaseCommand):
    """Makes the demonstration; run again it changes nothing."""

    help = "Make the demo organisations, people, agent and students; refused in production."

    def handle(self, *args: Any, **options: Any) -> None:
        if not demo.allowed():
            raise CommandError("APP_MODE is production: demo users have known passwords.")
        password = _password()
        made = demo.seed(password=password)
        if not made:
            self.stdout.write("The demo is there already; nothing changed.")
            return
        _keep(password)
        self.stdout.write(f"Made {', '.join(made)}; their password: {password}")


def _file() -> Path:
    return Path(settings.VAR) / "demo-password"


def _password() -> str:
    kept = _file().read_text("utf-8").strip() if _file().is_file() else ""
    return os.environ.get("DEMO_PASSWORD") or kept or secrets.token_urlsafe(9)


def _keep(password: str) -> None:
    """For its owner alone, so that `bin/start` can say it again."""
    descriptor = os.open(_file(), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(password + "\n")
