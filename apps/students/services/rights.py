"""Who may do what with students: looked up live, at each check."""

from django.core.exceptions import PermissionDenied

from apps.accounts.actor import Actor
from apps.accounts.models import User


def require(actor: Actor, permission: str) -> None:
    """Raise PermissionDenied unless the active user has the permission now."""
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(permission):
        raise PermissionDenied(f"{actor.username} lacks {permission}")
