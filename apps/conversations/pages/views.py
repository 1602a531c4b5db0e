"""The three addresses at which people talk to agents."""

from dataclasses import replace
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe

from apps.agents.demo_texts import within_rights
from apps.agents.models import Agent
from apps.agents.rights import may
from apps.conversations.models import Conversation
from apps.conversations.pages import presenting
from apps.conversations.pages.agents import AgentView, agent_view, usable_agents, why_closed
from apps.conversations.pages.asking import actor_of, chat_page
from apps.conversations.pages.sidebar import sidebar_of
from apps.conversations.pages.zones import zone_of
from apps.conversations.refusals import invalid, not_found
from apps.conversations.services.admission import own_conversation
from apps.lib.clock import now


@require_safe
@chat_page
def front(request: HttpRequest) -> HttpResponse:
    """Which agent to talk to; where there is but one, a new conversation with it."""
    agents = usable_agents(actor_of(request))
    if len(agents) == 1:
        return _begin(request, agents[0])
    views = [agent_view(agent) for agent in agents]
    return _page(request, "chat/picker.html", {"agents": views})


@require_safe
@chat_page
def new_conversation(request: HttpRequest, code: str) -> HttpResponse:
    """404 for an agent that is missing, foreign or not this person's to use."""
    agent = Agent.objects.filter(code=code).first()
    actor = actor_of(request)
    if agent is None or not (may(actor, agent, "use_agent") or may(actor, agent, "edit_agent")):
        raise not_found()
    return _begin(request, agent)


@require_safe
@chat_page
def conversation(request: HttpRequest, conversation_id: str) -> HttpResponse:
    """The newest messages, or with `?before=` older ones, which are only for reading."""
    actor = actor_of(request)
    own = own_conversation(actor, conversation_id)
    before = _message_id(request.GET.get("before"))
    history = presenting.history_of(own, before=before)
    agent = agent_view(own.agent, own.variant)
    closed = why_closed(actor, own.agent, own.variant)
    run = presenting.active_run(own)
    context = {
        "conversation": own,
        "history": history,
        "reading": before is not None,
    }
    return _chat(request, agent, closed, context, own, run)


def _begin(request: HttpRequest, agent: Agent) -> HttpResponse:
    closed = why_closed(actor_of(request), agent)
    context = {"history": presenting.History()}
    return _chat(request, agent_view(agent), closed, context, None, None)


def _chat(
    request: HttpRequest,
    agent: AgentView,
    closed: str,
    context: dict[str, Any],
    own: Conversation | None,
    run: dict[str, Any] | None,
) -> HttpResponse:
    fitting = within_rights(agent.suggestions, request.user.has_perm)
    agent = replace(agent, suggestions=fitting)
    shown = {"agent": agent, "closed": closed, **presenting.page_parts(), **context}
    shown["config"] = presenting.chat_config(request, agent, own, run)
    return _page(request, "chat/chat.html", shown)


def _page(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    zone = zone_of(request)
    sidebar = sidebar_of(
        actor_of(request),
        query=request.GET.get("q", ""),
        cursor=request.GET.get("list", ""),
        zone=zone,
    )
    today = now().astimezone(zone).date().isoformat()
    with timezone.override(zone):
        return render(request, template, {"sidebar": sidebar, "today": today, **context})


def _message_id(text: str | None) -> int | None:
    if text is None:
        return None
    if not (text.isascii() and text.isdigit() and len(text) < 16):
        raise invalid({})
    return int(text)
