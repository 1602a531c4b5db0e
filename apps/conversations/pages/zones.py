"""The time zone of the person, as the browser has told it in a cookie."""

from datetime import UTC, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from django.http import HttpRequest

COOKIE = "timezone"


def zone_of(request: HttpRequest) -> tzinfo:
    """UTC where the cookie is missing or names no zone."""
    try:
        return ZoneInfo(request.COOKIES.get(COOKIE, "UTC"))
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return UTC
