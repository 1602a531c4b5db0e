"""audit.after without broker and worker."""

from datetime import timedelta

from apps.tools import after
from apps.tools.sweep import Swept, sweep


def write_open() -> Swept:
    """Close and write, here and now, whatever is open and due: without broker and worker."""
    return sweep(after.write, whole=True, handed=timedelta())
