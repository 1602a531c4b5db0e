"""The environment, read strictly: a value that cannot be meant names its variable and its remedy.

What the environment leaves unset is read from `var/env`, which `bin/start` writes, so that commands
work in a plain shell.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import environ
from django.core.exceptions import ImproperlyConfigured

ROOT = Path(__file__).resolve().parent.parent
MODES = ("production", "demo", "test")
_TRUE, _FALSE = ("true", "1", "yes", "on"), ("false", "0", "no", "off", "")
_WITH_HOST = ("http", "https", "redis", "rediss")
_env = environ.Env()
collects_at_start = False
"""Whether this process gathers the static files itself before it serves: `bin/start` does."""


class SettingError(ImproperlyConfigured):
    """A variable of the environment is missing or cannot be meant; the text says what to do."""

    def __init__(self, name: str, wrong: str, remedy: str) -> None:
        super().__init__(f"{name}: {wrong} {remedy}")


def data_folder() -> Path:
    """Where data lives: `STEWARD_VAR`, else `var/`; made, and closed to others, when missing."""
    folder = Path(text("STEWARD_VAR") or ROOT / "var").resolve()
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise SettingError("STEWARD_VAR", f"{error}.", "Name a folder you may write.") from error
    return folder


def read_file(path: Path) -> None:
    """`NAME=value` lines become variables, except of names that the environment has."""
    if not path.is_file():
        return
    try:
        lines = path.read_text("utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        remedy = f"Make {path} readable, or name another folder."
        raise SettingError("STEWARD_VAR", f"{error}.", remedy) from error
    for line in lines:
        name, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            os.environ.setdefault(name.strip(), value.strip())


def text(name: str, default: str = "") -> str:
    value: str = _env.str(name, default=default)
    return value.strip()


def flag(name: str, *, default: bool) -> bool:
    value = text(name).lower()
    if name not in os.environ:
        return default
    if value in _TRUE or value in _FALSE:
        return value in _TRUE
    raise SettingError(name, f"{value!r} is neither true nor false.", "Write true or false.")


def number(name: str, *, default: int) -> int:
    """A whole number, zero or more."""
    value = text(name)
    if not value:
        return default
    if not (value.isascii() and value.isdigit()):
        raise SettingError(name, f"{value!r} is not a number.", "Write a whole number, 0 or more.")
    return int(value)


def words(name: str, default: Sequence[str] = ()) -> list[str]:
    """A list parted by commas."""
    return [word for part in text(name).split(",") if (word := part.strip())] or list(default)


def one_of(name: str, known: Sequence[str], *, default: str) -> str:
    value = text(name) or default
    if value not in known:
        raise SettingError(name, f"{value!r} is not known.", f"Write one of: {', '.join(known)}.")
    return value


def url(name: str, *schemes: str) -> str:
    """An address with one of the schemes and a host, or the empty text."""
    value = text(name)
    scheme, parted, rest = value.partition("://")
    meant = bool(parted and scheme in schemes and rest)
    if value and not (meant and (scheme not in _WITH_HOST or has_host_and_port(value))):
        examples = " or ".join(f"{known}://…" for known in schemes)
        raise SettingError(name, "this is not an address of a known kind.", f"Write {examples}.")
    return value


def database(name: str, default: str) -> dict[str, Any]:
    """Django's settings of the database at the address: SQLite or PostgreSQL."""
    url(name, "sqlite", "postgres", "postgresql")
    try:
        found: dict[str, Any] = _env.db_url(name, default=default)
    except (ImproperlyConfigured, ValueError) as error:
        remedy = "Write postgres://USER:PASSWORD@HOST:5432/NAME, or leave it unset for SQLite."
        raise SettingError(name, "this address cannot be read.", remedy) from error
    return found


def email(name: str) -> dict[str, Any]:
    """Django's e-mail settings; the console when unset."""
    url(name, "smtp", "smtp+tls", "smtp+ssl", "smtps", "consolemail", "filemail", "dummymail")
    found: dict[str, Any] = _env.email_url(name, default="consolemail://")
    return found


def required(name: str, mode: str, *, otherwise: str, remedy: str) -> str:
    """The value; in production it must be set, elsewhere `otherwise` stands in."""
    value = text(name)
    if not value and mode == "production":
        raise SettingError(name, "not set, and APP_MODE is production.", remedy)
    return value or otherwise


def has_host_and_port(address: str) -> bool:
    """Whether the address has a host, and a port that can be one, if any."""
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False


def load_or_exit() -> None:
    """Read the settings now; a bad value is one line on standard error and the end with status 2.

    Django would say it in the tracebacks of whatever read the settings first.
    """
    from django.conf import settings  # noqa: PLC0415, not at import: this module is read by it

    try:
        bool(settings.APP_MODE)
    except SettingError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
