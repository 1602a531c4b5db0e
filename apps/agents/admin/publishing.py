"""The page that publishes: what would change, a note, one button."""

import json
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from apps.agents.admin.permissions import AgentRightsAdmin
from apps.agents.admin.scope import actor_of
from apps.agents.models import Agent, PublishRecord
from apps.agents.services.body import draft_body
from apps.agents.services.checks import publish_faults
from apps.agents.services.diff import differences
from apps.agents.services.publish import publish_agent
from apps.lib.canonical import canonical_json, digest
from apps.lib.problem import RefusedError


class PublishForm(forms.Form):
    """Why, and which draft was looked at."""

    expected_version = forms.IntegerField(widget=forms.HiddenInput)
    note = forms.CharField(
        label=gettext_lazy("说明"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )


@require_http_methods(["GET", "POST"])
def publish_page(request: HttpRequest, console: AgentRightsAdmin, object_id: str) -> HttpResponse:
    """GET shows, POST does."""
    agent = console.get_object(request, object_id)
    if agent is None:
        raise Http404
    if not console.may_publish(request, agent):
        raise PermissionDenied
    form = PublishForm(request.POST or None, initial={"expected_version": agent.version})
    if form.is_valid() and (record := _publish(request, agent, form)):
        text = _("“%(name)s” 现在对全部用户是 v%(version)s。")
        messages.success(request, text % {"name": agent.name, "version": record.version})
        return HttpResponseRedirect(reverse(f"{console.admin_site.name}:agents_agent_changelist"))
    context = console.admin_site.each_context(request) | _view(console, agent, form)
    status = 409 if form.errors else 200
    return TemplateResponse(request, "admin/agents/agent/publish.html", context, status=status)


def _publish(request: HttpRequest, agent: Agent, form: PublishForm) -> PublishRecord | None:
    agent.version = form.cleaned_data["expected_version"]
    try:
        return publish_agent(agent=agent, actor=actor_of(request), note=form.cleaned_data["note"])
    except RefusedError as refused:
        form.add_error(None, refused.problem.detail)
        return None


def _view(console: AgentRightsAdmin, agent: Agent, form: PublishForm) -> dict[str, Any]:
    body = draft_body(agent)
    live = agent.live
    return {
        "title": _("发布 %(name)s") % {"name": agent.name},
        "opts": console.opts,
        "original": agent,
        "agent": agent,
        "form": form,
        "live": live,
        "faults": publish_faults(agent, body),
        "unchanged": live is not None and live.digest == digest(canonical_json(body)),
        "sections": differences(json.loads(live.body) if live else None, body),
    }
