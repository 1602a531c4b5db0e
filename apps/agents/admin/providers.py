"""Model services in the console. Keys go in and never come out."""

from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from apps.agents.admin.scope import (
    VersionedAdmin,
    VersionedForm,
    actor_of,
    operator_of,
    own_organisation,
)
from apps.agents.models import Provider
from apps.agents.services.providers import save_provider

FIELDS = ("organisation", "name", "kind", "base_url", "default_model", "options")


class ProviderForm(VersionedForm):
    """An empty key keeps the one that is stored; the stored one is never sent to the browser."""

    api_key = forms.CharField(
        label=_("密钥"),
        required=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
        help_text=_("加密保存，保存后不再显示。留空则保留已保存的密钥。"),
    )
    clear_key = forms.BooleanField(label=_("删除已保存的密钥"), required=False)

    class Meta:
        model = Provider
        fields = (*FIELDS, "api_key", "shared", "enabled")

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.initial.pop("api_key", None)


@admin.register(Provider)
class ProviderAdmin(VersionedAdmin):
    """Providers of the operator's organisation; a superuser sees all."""

    form = ProviderForm
    list_display = ("name", "organisation", "kind", "base_url", "default_model", "key", "enabled")
    list_filter = ("kind", "enabled")
    search_fields = ("name", "base_url")

    @admin.display(description=_("密钥"))
    def key(self, provider: Provider) -> str:
        return "••••" if provider.api_key else "—"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Provider]:
        user, rows = operator_of(request), super().get_queryset(request)
        return rows if user.is_superuser else rows.filter(organisation=user.organisation)

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Who may only look sees that there is a key: a field shown as text would show it."""
        if obj is not None and not self.has_change_permission(request, obj):
            return (*FIELDS, "key", "shared", "enabled")
        clear = ("clear_key",) if obj is not None else ()
        return (*FIELDS, "api_key", *clear, "shared", "enabled")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        fixed = ("key",) if obj is None else ("organisation", "key")
        return fixed if operator_of(request).is_superuser else (*fixed, "shared")

    def formfield_for_foreignkey(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        return super().formfield_for_foreignkey(
            db_field, request, **kwargs | own_organisation(request)
        )

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: Provider, form: Any, change: bool) -> None:
        clear = form.cleaned_data.get("clear_key", False)
        save_provider(provider=obj, actor=actor_of(request), clear_key=clear)
