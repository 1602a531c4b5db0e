"""What `bin/start` decides once: mode, secret and encryption key, kept in `var/env` (0600).

A database or broker named at a start is kept too, so that commands in a plain shell reach the same
rows. Only the standard library: this runs before anything is known to work.
"""

import base64
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

KEPT = ("DATABASE_URL", "REDIS_URL")
_HEAD = "# Written by bin/start. The environment wins over what stands here.\n"


def choose(known: Mapping[str, str], environment: Mapping[str, str]) -> dict[str, str]:
    """What the file shall say, from what it says and what the environment says."""
    made = {
        "APP_MODE": "demo",
        "DJANGO_SECRET_KEY": secrets.token_urlsafe(48),
        "FIELD_ENCRYPTION_KEYS": base64.urlsafe_b64encode(secrets.token_bytes(32)).decode(),
    }
    named = {name: environment[name] for name in KEPT if environment.get(name)}
    return {**made, **known, **named}


def write_choices(folder: Path) -> Path:
    """Make or complete `env` in the folder; nobody but its owner may ever read it."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    path = folder / "env"
    known = _read(path)
    wanted = choose(known, os.environ)
    if wanted != known:
        _replace(path, _HEAD + "".join(f"{name}={value}\n" for name, value in wanted.items()))
    return path


def _read(path: Path) -> dict[str, str]:
    if not path.is_file():
        return {}
    lines = (line.partition("=") for line in path.read_text("utf-8").splitlines())
    return {name: value for name, equals, value in lines if equals and not name.startswith("#")}


def _replace(path: Path, text: str) -> None:
    beside = path.with_name(f"env.{os.getpid()}")
    descriptor = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
