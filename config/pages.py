"""The front page, until the chat page takes its place."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent


@never_cache
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Who is signed in, and the agents this person may use."""
    reach = Agent.objects.for_actor(Actor.of(cast(User, request.user)))
    agents = reach.filter(live__isnull=False).select_related("live").order_by("code")
    return render(request, "home.html", {"agents": agents})
