"""Days as people name them: whole days in the project's time zone (`TIME_ZONE`)."""

from argparse import ArgumentTypeError
from datetime import date, datetime, time, timedelta

from django.utils import timezone


class NoDayError(ValueError, ArgumentTypeError):
    """A command says it as it stands."""

    def __init__(self, text: str) -> None:
        super().__init__(f"{text!r} is no day: write it as 2026-03-31")


def day_begins(text: str) -> datetime:
    """The first moment of the day that an ISO date names; NoDayError."""
    try:
        day = date.fromisoformat(text)
    except ValueError as error:
        raise NoDayError(text) from error
    return datetime.combine(day, time(), timezone.get_default_timezone())


def day_ends(text: str) -> datetime:
    """The first moment that is not of the day any more; NoDayError."""
    try:
        return day_begins(text) + timedelta(days=1)
    except OverflowError as error:
        raise NoDayError(text) from error
