"""Pages that change a state: what will happen, a reason, one button that names the act."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from django import forms
from django.contrib import messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods

from apps.accounts.actor import Actor
from apps.audit.admin.reading import AnyAdmin, AuditReadingAdmin, actor_of
from apps.lib.problem import RefusedError

Told = tuple[int, str]
"""The level of a message, and the message."""


class ReasonForm(forms.Form):
    """Why; it stands in the config log."""

    reason = forms.CharField(
        label=_("理由"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=_("写入配置变更记录，之后不能修改。"),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Act:
    """One change as its page tells it; `do` is given who and why, and says what came of it."""

    title: str
    sentence: str
    button: str
    do: Callable[[Actor, str], Told]
    facts: Sequence[tuple[str | Promise, str]] = ()
    hidden: Sequence[tuple[str, str]] = ()
    harmful: bool = False


@require_http_methods(["GET", "POST"])
def act_page(request: HttpRequest, console: AnyAdmin, act: Act) -> HttpResponse:
    """GET shows, POST does. A refusal stands on the page, with what was typed."""
    form = ReasonForm(request.POST if "reason" in request.POST else None)
    back = reverse(f"admin:{console.opts.app_label}_{console.opts.model_name}_changelist")
    if form.is_valid() and (told := _done(request, act, form)):
        messages.add_message(request, *told)
        return HttpResponseRedirect(back)
    shown = {"title": act.title, "act": act, "form": form, "back": back, "opts": console.opts}
    context = console.admin_site.each_context(request) | shown
    status = 400 if form.errors else 200
    return TemplateResponse(request, "admin/act.html", context, status=status)


def _done(request: HttpRequest, act: Act, form: ReasonForm) -> Told | None:
    try:
        return act.do(actor_of(request), form.cleaned_data["reason"])
    except RefusedError as refused:
        problem = refused.problem
        if problem.status == 403:
            raise PermissionDenied(problem.detail) from refused
        if problem.status == 404:
            raise Http404 from refused
        texts = [text for found in problem.errors.values() for text in found]
        form.add_error(None, texts or [problem.detail])
        return None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An act on one row: the word on its button, the states that allow it, and its page."""

    label: str | Promise
    states: tuple[str, ...]
    act: Callable[[Any], Act]


class ActingAdmin(AuditReadingAdmin):
    """Rows that nobody edits, and on which some things are done."""

    right = "audit.operate_audit"
    change_form_template = "admin/acting.html"
    offers: ClassVar[Mapping[str, Offer]] = {}

    def address(self, name: str, row: Any) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_{name}", args=[row.pk])

    def get_urls(self) -> list[URLPattern]:
        opts, guarded = self.opts, self.admin_site.admin_view
        own = [
            path(
                f"<path:object_id>/{name}/",
                guarded(partial(self.act_view, name=name)),
                name=f"{opts.app_label}_{opts.model_name}_{name}",
            )
            for name in self.offers
        ]
        return [*own, *super().get_urls()]

    def act_view(self, request: HttpRequest, object_id: str, name: str) -> HttpResponse:
        if not self.may_act(request):
            raise PermissionDenied
        row = self.get_object(request, unquote(object_id))
        if row is None:
            raise Http404
        return act_page(request, self, self.offers[name].act(row))

    def state_of(self, row: Any) -> str:
        return str(row.state)

    def may_act(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        row = self.get_object(request, unquote(object_id))
        offered = [
            (offer.label, self.address(name, row))
            for name, offer in self.offers.items()
            if row is not None and self.state_of(row) in offer.states and self.may_act(request)
        ]
        extra = (extra_context or {}) | {"offered": offered}
        return super().change_view(request, object_id, form_url, extra)
