"""What the console's pages have in common: whose rows, and under which version they are saved."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.lib.problem import RefusedError

if TYPE_CHECKING:
    AnyForm = forms.ModelForm[Any]
    AnyAdmin = admin.ModelAdmin[Any]
else:
    AnyForm = forms.ModelForm
    AnyAdmin = admin.ModelAdmin


def operator_of(request: HttpRequest) -> User:
    """The signed-in member of staff."""
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def actor_of(request: HttpRequest) -> Actor:
    return Actor.of(operator_of(request))


def own_organisation(request: HttpRequest) -> dict[str, Any]:
    """The organisations the operator may put something in, the own one preset."""
    user = operator_of(request)
    rows = Organisation.objects.all()
    reach = rows if user.is_superuser else rows.filter(pk=user.organisation_id)
    return {"queryset": reach, "initial": user.organisation_id}


class VersionedForm(AnyForm):
    """A form that knows the version its row was read with, and refuses to save over a newer one."""

    expected_version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "expected_version" in self.fields:
            self.fields["expected_version"].initial = self.instance.version

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        known = self.instance.pk is not None
        if known and values.get("expected_version") != self.instance.version:
            self.add_error(
                None,
                _(
                    "您打开之后，别人已经保存过。您的输入仍在下面，没有保存；请另开窗口查看新的内容。"
                ),
            )
        return values


class VersionedAdmin(AnyAdmin):
    """Turns a save that lost the race into the form again, with what was typed."""

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        try:
            return super().changeform_view(request, *args, **kwargs)
        except RefusedError as refused:
            if refused.problem.status == 403:
                raise PermissionDenied(refused.problem.detail) from refused
            # The row has moved on meanwhile, so this time the form itself refuses.
            return super().changeform_view(request, *args, **kwargs)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """The version goes with what can be saved; those who may only look have no use for it."""
        shown = list(super().get_fieldsets(request, obj))
        if obj is not None and self.has_change_permission(request, obj):
            shown.append((None, {"fields": ("expected_version",), "classes": ("hidden",)}))
        return shown
