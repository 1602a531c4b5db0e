"""The browser of these tests: Debian's Chromium, or the one that `CHROMIUM` names.

`python -m tests.browser.chromium` says what is missing, as `tests.services` does.
"""

import importlib.util
import os
import shutil
import sys
from pathlib import Path

DEBIAN = "/usr/bin/chromium"
FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def program() -> str:
    """Its path, or nothing."""
    named = os.environ.get("CHROMIUM") or DEBIAN
    return named if Path(named).is_file() else shutil.which(named) or ""


def missing() -> list[str]:
    """What the tests of the page lack, with the remedy."""
    faults = []
    if not program():
        faults.append(
            "Chromium is missing: apt install chromium fonts-noto-cjk, or set CHROMIUM to its path."
        )
    if importlib.util.find_spec("playwright") is None:
        faults.append("Playwright is missing: install requirements/dev.txt.")
    return faults


if __name__ == "__main__":
    found = missing()
    sys.stderr.writelines(f"{fault}\n" for fault in found)
    sys.exit(1 if found else 0)
