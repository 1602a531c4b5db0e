"""Static files under names with a hash, compressed beside the plain ones: cached for good."""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.contrib.staticfiles.storage import ManifestStaticFilesStorage
from django.core.management import call_command
from whitenoise.storage import CompressedManifestStaticFilesStorage

from apps.lib.es_modules import IMPORT, modules_of

ENTRY = "chat/main.js"


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Our modules import each other by their hashed names too; other people's are left alone."""

    patterns = (
        *ManifestStaticFilesStorage.patterns,
        ("chat/*.js", ((f"(?m)^(?P<matched>{IMPORT})", '%(statement)s"%(url)s";'),)),
    )

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        """Each module behind what it imports, so that one pass knows all names."""
        ordered = [name for name in modules_of(ENTRY) if name in paths]
        sorted_paths = {name: paths[name] for name in (*ordered, *paths)}
        yield from super().post_process(sorted_paths, *args, **options)


def collect() -> None:
    """Into `STATIC_ROOT`, when a file has changed since the last time."""
    root = Path(str(settings.STATIC_ROOT))
    stamp, now = root.with_suffix(".stamp"), _fingerprint()
    kept = stamp.read_text("utf-8") if stamp.is_file() else ""
    if kept == now and (root / "staticfiles.json").is_file():
        return
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(now, "utf-8")


def _fingerprint() -> str:
    """Of every file by path, size and time, and of this module."""
    files = {storage.path(name) for finder in get_finders() for name, storage in finder.list(None)}
    told = hashlib.sha256()
    for file in sorted({*files, __file__}):
        stat = Path(file).stat()
        told.update(f"{file} {stat.st_size} {stat.st_mtime_ns}\n".encode())
    return told.hexdigest()
