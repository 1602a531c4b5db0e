"""Staff see and touch the rows of their own organisation only."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.actor import Actor
from apps.accounts.models import User

if TYPE_CHECKING:
    _AnyAdmin = admin.ModelAdmin[Any]
else:
    _AnyAdmin = admin.ModelAdmin


def actor_of(request: HttpRequest) -> Actor:
    """The admin site lets nobody in who is not signed in."""
    user: User | AnonymousUser = request.user
    if not isinstance(user, User):
        raise TypeError("admin without a user")
    return Actor.of(user)


class ScopedAdmin(_AnyAdmin):
    """Lists, forms, choices and actions reach no other organisation."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        return rows.filter(organisation_id=actor_of(request).organisation_id)
