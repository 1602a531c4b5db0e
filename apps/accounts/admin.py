"""People, organisations and keys in the console: operators meet only their organisation."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _

from apps.accounts.deleting import deletion_page
from apps.accounts.models import ApiToken, Organisation, User
from apps.accounts.services.tokens import revoke_token

_POWERS = ("is_staff", "is_superuser", "groups", "user_permissions", "organisation")


@admin.register(User)
class PersonAdmin(UserAdmin[User]):
    """Only a superuser gives powers, or moves anybody between organisations."""

    list_display = ("username", "organisation", "department", "is_staff", "is_active")
    list_filter = ("is_active", "is_staff", "organisation")
    fieldsets = (
        *(UserAdmin.fieldsets or ()),
        (_("组织"), {"fields": ("organisation", "department", "region", "locale")}),
    )
    add_fieldsets = (
        *UserAdmin.add_fieldsets,
        (_("组织"), {"fields": ("organisation",)}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        rows = super().get_queryset(request)
        if _is_root(request):
            return rows
        return rows.filter(organisation_id=_home(request), is_superuser=False)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        if _is_root(request):
            return ()
        return _POWERS

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        if not change and not _is_root(request):
            obj.organisation_id = _home(request)
        super().save_model(request, obj, form, change)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """A person is deleted alone, on a page that says what goes with them."""
        actions = super().get_actions(request)
        return {name: action for name, action in actions.items() if name != "delete_selected"}

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        return deletion_page(request, self, object_id)


@admin.register(Organisation)
class OrganisationAdmin(admin.ModelAdmin[Organisation]):
    """The tenants."""

    list_display = ("name", "code")
    search_fields = ("name", "code")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Organisation]:
        rows = super().get_queryset(request)
        return rows if _is_root(request) else rows.filter(pk=_home(request))

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return _is_root(request)


@admin.register(ApiToken)
class ApiTokenAdmin(admin.ModelAdmin[ApiToken]):
    """Keys are shown to nobody; here they are ended."""

    list_display = ("name", "user", "created_at", "expires_at", "revoked_at")
    list_filter = ("revoked_at",)
    list_select_related = ("user",)
    fields = ("name", "user", "created_at", "expires_at", "revoked_at")
    readonly_fields = fields
    actions = ("revoke",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[ApiToken]:
        rows = super().get_queryset(request)
        return rows if _is_root(request) else rows.filter(user__organisation_id=_home(request))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("停用所选令牌"), permissions=["change"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        ended = sum(revoke_token(token=token) for token in queryset)
        self.message_user(request, _("已停用 %(count)d 个令牌。") % {"count": ended})


def _is_root(request: HttpRequest) -> bool:
    return bool(getattr(request.user, "is_superuser", False))


def _home(request: HttpRequest) -> int:
    return int(getattr(request.user, "organisation_id", 0) or 0)
