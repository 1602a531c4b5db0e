"""Rows for auditors: seen with the audit right, of the own organisation, and never touched."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.accounts.models import User

if TYPE_CHECKING:
    _AnyAdmin = admin.ModelAdmin[Any]
else:
    _AnyAdmin = admin.ModelAdmin

RIGHT = "audit.view_audit"


class AuditReadingAdmin(_AnyAdmin):
    """Read-only; a superuser sees all organisations."""

    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        user = request.user
        if not isinstance(user, User):
            return rows.none()
        return rows if user.is_superuser else rows.filter(organisation_id=user.organisation_id)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm(RIGHT))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(RIGHT))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
