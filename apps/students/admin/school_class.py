"""Classes."""

from typing import Any

from django.http import HttpRequest

from apps.students.admin.scoped import ScopedAdmin, actor_of
from apps.students.models import SchoolClass


class SchoolClassAdmin(ScopedAdmin):
    """A class belongs to the organisation of who makes it."""

    list_display = ("name",)
    search_fields = ("name",)
    fields = ("name",)

    def save_model(self, request: HttpRequest, obj: SchoolClass, form: Any, change: bool) -> None:
        obj.organisation_id = actor_of(request).organisation_id
        super().save_model(request, obj, form, change)
