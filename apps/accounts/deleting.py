"""The page that deletes a person: what would go, a reason, one button."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.accounts.registry import user_deletion
from apps.lib.problem import RefusedError


class ReasonForm(forms.Form):
    """Why; it stands in the config log."""

    reason = forms.CharField(label=_("理由"), max_length=1_000, widget=forms.Textarea({"rows": 3}))


def deletion_page(
    request: HttpRequest, console: "admin.ModelAdmin[User]", object_id: str
) -> HttpResponse:
    """Refused as the service refuses: the page says why, and nothing has changed."""
    person = console.get_object(request, unquote(object_id))
    if person is None:
        return HttpResponseRedirect(reverse("admin:index"))
    if not console.has_delete_permission(request, person):
        raise PermissionDenied
    form = ReasonForm(request.POST or None)
    if form.is_valid() and _deleted(request, person, form):
        text = _("已删除用户 %(name)s 和其全部会话。") % {"name": person.username}
        messages.success(request, text)
        return HttpResponseRedirect(reverse("admin:accounts_user_changelist"))
    context: dict[str, Any] = {
        **console.admin_site.each_context(request),
        "opts": console.opts,
        "title": _("删除用户"),
        "person": person,
        "form": form,
        "counts": user_deletion().preview(user_id=person.pk),
    }
    status = 409 if form.is_bound and form.non_field_errors() else 200
    return TemplateResponse(
        request, "admin/accounts/user/delete_confirmation.html", context, status=status
    )


def _deleted(request: HttpRequest, person: User, form: ReasonForm) -> bool:
    if not isinstance(request.user, User):
        raise PermissionDenied
    actor, reason = Actor.of(request.user), form.cleaned_data["reason"]
    try:
        user_deletion().delete(actor=actor, user_id=person.pk, reason=reason)
    except RefusedError as error:
        form.add_error(None, error.problem.detail)
        return False
    return True
