"""Rows for auditors: seen with the audit right, of the own organisation, and never touched."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from apps.accounts.actor import Actor
from apps.accounts.models import User

if TYPE_CHECKING:
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyAdmin = admin.ModelAdmin

RIGHT = "audit.view_audit"


def operator_of(request: HttpRequest) -> User:
    """The signed-in member of staff."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def actor_of(request: HttpRequest) -> Actor:
    return Actor.of(operator_of(request))


def exact(at: datetime) -> str:
    """To the second, as people compare it with logs."""
    local = timezone.localtime(at)
    text = local.strftime("%Y-%m-%d %H:%M:%S")
    return format_html('<time datetime="{}">{}</time>', local.isoformat(), text)


def column(name: str, label: Any) -> Any:
    """A field in a list or on a page, under a name in the reader's language."""

    @admin.display(description=label, ordering=name)
    def shown(row: Any) -> Any:
        told = getattr(row, f"get_{name}_display", None)
        value = told() if told else getattr(row, name)
        if isinstance(value, datetime):
            return exact(value)
        return "—" if value in (None, "") else value

    shown.__name__ = name
    return shown


def choice(name: str, label: Any, *, free: bool = False) -> Any:
    """A filter under that name; `free`: of the values that there are, not of choices."""
    base: Any = admin.AllValuesFieldListFilter if free else admin.ChoicesFieldListFilter

    class Named(base):  # type: ignore[misc]  # one of two of Django's
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.title = label

    return (name, Named)


@admin.display(description=_("追踪编号"), ordering="trace_id")
def _trace(row: Any) -> str:
    """The way to all that happened under the same trace."""
    if not row.trace_id:
        return "—"
    address = reverse("console_trace", args=[row.trace_id])
    return format_html('<a class="id" href="{}">{}</a>', address, row.trace_id)


trace: Any = _trace


class AuditReadingAdmin(AnyAdmin):
    """Read-only; a superuser sees all organisations."""

    right: ClassVar[str] = RIGHT
    actions = None
    list_per_page = 50
    show_full_result_count = False

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        user = request.user
        if not isinstance(user, User):
            return rows.none()
        return rows if user.is_superuser else self.scoped(rows, user)

    def scoped(self, rows: QuerySet[Any], user: User) -> QuerySet[Any]:
        """What somebody of this organisation may meet."""
        return rows.filter(organisation_id=user.organisation_id)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm(self.right))

    def has_module_permission(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm(self.right))

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
