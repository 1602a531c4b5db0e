"""The front page, until the chat page takes its place, and the way into the console."""

from typing import cast

from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.cache import never_cache

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent


@never_cache
def console_sign_in(request: HttpRequest) -> HttpResponse:
    """The console has no door of its own: one page to sign in, one limit of tries."""
    if request.user.is_authenticated and not request.user.is_staff:
        raise PermissionDenied
    following = request.GET.get("next", "/admin/")
    return redirect_to_login(following, login_url=reverse("accounts:login"))


@never_cache
@login_required
def home(request: HttpRequest) -> HttpResponse:
    """Who is signed in, and the agents this person may use."""
    reach = Agent.objects.for_actor(Actor.of(cast(User, request.user)))
    agents = reach.filter(live__isnull=False).select_related("live").order_by("code")
    return render(request, "home.html", {"agents": agents})
