"""What `bin/start` runs: choices, migrations, the demo, then `serve`, all in one process."""

import os
import sys
from argparse import ArgumentParser
from pathlib import Path

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import call_command
from django.core.management.base import CommandError

from config import environment
from config.environment import ROOT, load_or_exit
from config.first_start import write_choices
from config.serve_options import add_options


def main(arguments: list[str]) -> int:
    parser = ArgumentParser(prog="bin/start", description=__doc__)
    add_options(parser)
    options = vars(parser.parse_args(arguments))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    environment.collects_at_start = True
    _choose()
    load_or_exit()
    try:
        django.setup()
        _prepare()
        call_command("serve", **options)
    except (CommandError, ImproperlyConfigured) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


def _choose() -> None:
    folder = Path(os.environ.get("STEWARD_VAR") or ROOT / "var").resolve()
    try:
        write_choices(folder)
    except (OSError, UnicodeDecodeError) as error:
        sys.stderr.write(f"STEWARD_VAR: {error}. Name a folder you may write.\n")
        raise SystemExit(2) from None


def _prepare() -> None:
    """Tables as the code needs them; in an empty demo database, the demo."""
    from django.conf import settings  # noqa: PLC0415, the choices come first

    from apps.accounts.models import User  # noqa: PLC0415
    from config import demo, static_files  # noqa: PLC0415

    call_command("migrate", verbosity=0)
    if settings.APP_MODE != "production":
        static_files.collect()
    if settings.APP_MODE == "demo":
        if not User.objects.exists():
            call_command("seed_demo", stdout=open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115
        _say_logins(demo.demo_passwords_in_use(), Path(settings.VAR) / "demo-password")


def _say_logins(names: list[str], file: Path) -> None:
    if names and file.is_file():
        password = file.read_text("utf-8").strip()
        sys.stdout.write(f"Sign in as {', '.join(names)}. Password of all: {password}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
