"""What ends a run from the host's side."""

from typing import ClassVar

from django.db import DatabaseError

from apps.lib.bridge import LockTimeoutError
from apps.lib.writer.job import WriteRefusedError, WriteUnknownError
from apps.runtime.errors import RunError

NOT_WRITTEN = (WriteRefusedError, WriteUnknownError, DatabaseError)
"""A write that may be tried again: units that stand already are agreed to."""
PASSING = (*NOT_WRITTEN, LockTimeoutError)
"""Faults of the database that background work survives."""


class LeaseLostError(Exception):
    """The run is another's, or nobody knows: this host writes and starts nothing more."""


class StorageUnavailableError(RunError):
    """A step could not be committed, so none of its calls may start."""

    code: ClassVar[str] = "storage_unavailable"
    message: ClassVar[str] = "The run could not be stored."


class SwitchedOffError(RunError):
    """The run waited, and its person, agent or provider was switched off meanwhile."""

    code: ClassVar[str] = "switched_off"
    message: ClassVar[str] = "Switched off by an administrator."


class AnswerTooLargeError(RunError):
    """The run's events have reached their cap."""

    code: ClassVar[str] = "answer_too_large"
    message: ClassVar[str] = "The answer is too long."
