"""Removes what nobody can sign in with any more."""

from django.contrib.sessions.models import Session

from apps.accounts.models import ApiToken
from apps.lib import clock


def purge_expired() -> int:
    """How many sessions and tokens were removed."""
    at = clock.now()
    sessions, _ = Session.objects.filter(expire_date__lt=at).delete()
    tokens, _ = ApiToken.objects.filter(expires_at__lt=at).delete()
    return sessions + tokens
