"""Addresses of no app: the way into the console, and the sign that browsers ask for unasked."""

from django.contrib.auth.views import redirect_to_login
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.templatetags.static import static
from django.urls import reverse
from django.views.decorators.cache import never_cache


@never_cache
def console_sign_in(request: HttpRequest) -> HttpResponse:
    """The console has no door of its own: one page to sign in, one limit of tries."""
    if request.user.is_authenticated and not request.user.is_staff:
        raise PermissionDenied
    following = request.GET.get("next", "/admin/")
    return redirect_to_login(following, login_url=reverse("accounts:login"))


def favicon(request: HttpRequest) -> HttpResponse:
    """What is asked for where a page names no icon: files, feeds, the console's pop-ups."""
    return redirect(static("favicon.svg"))
