"""Keys for the API: given out once, kept as a digest."""

import hashlib
import secrets
from datetime import timedelta

from django.db import transaction
from django.db.models import Q

from apps.accounts.models import ApiToken, User
from apps.lib import clock

LIFETIME = timedelta(days=90)
KEPT = 50  # of one user; the oldest give way, so that a script cannot fill the table


def digest_of(key: str) -> str:
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()


@transaction.atomic
def issue_token(*, user: User, name: str = "") -> str:
    """A new key of the user, as text: it cannot be shown again."""
    key, at = secrets.token_urlsafe(32), clock.now()
    ApiToken.objects.create(
        user=user, name=name, digest=digest_of(key), created_at=at, expires_at=at + LIFETIME
    )
    newest = user.api_tokens.order_by("-pk").values_list("pk", flat=True)[:KEPT]
    user.api_tokens.exclude(pk__in=list(newest)).delete()
    return key


def revoke_token(*, token: ApiToken) -> bool:
    """Whether this call ended it; an ended token stays ended."""
    live = ApiToken.objects.filter(pk=token.pk, revoked_at=None)
    return live.update(revoked_at=clock.now()) == 1


def user_of_token(key: str) -> User | None:
    """Whose key it is, while neither the key nor its user has been stopped."""
    unexpired = Q(expires_at=None) | Q(expires_at__gt=clock.now())
    token = (
        ApiToken.objects.filter(unexpired, digest=digest_of(key), revoked_at=None)
        .select_related("user")
        .filter(user__is_active=True)
        .first()
    )
    return token.user if token else None
