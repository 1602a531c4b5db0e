"""Days as people name them: whole days in the project's time zone (`TIME_ZONE`)."""

from datetime import date, datetime, time, timedelta

from django.utils import timezone


def day_begins(text: str) -> datetime:
    """The first moment of the day that an ISO date names; ValueError."""
    return _midnight(date.fromisoformat(text))


def day_ends(text: str) -> datetime:
    """The first moment that is not of the day any more."""
    return _midnight(date.fromisoformat(text)) + timedelta(days=1)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), timezone.get_default_timezone())
