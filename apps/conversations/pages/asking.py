"""What the views of the chat page have in common: who asks, and how a refusal is shown."""

from collections.abc import Callable
from functools import wraps
from typing import cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import BadRequest, PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.cache import never_cache

from apps.accounts.actor import Actor
from apps.accounts.language import language_of
from apps.accounts.models import User
from apps.lib.problem import RefusedError

View = Callable[..., HttpResponse]


def actor_of(request: HttpRequest) -> Actor:
    return Actor.of(cast(User, request.user))


def chat_page(view: View) -> View:
    """For people signed in, never from a cache; refusals are pages, under the strict policy."""

    @never_cache
    @login_required
    @wraps(view)
    def shown(request: HttpRequest, *args: str, **kwargs: str) -> HttpResponse:
        _speak(request)
        try:
            response = view(request, *args, **kwargs)
        except RefusedError as refused:
            raise _as_page(refused) from refused
        response["Content-Security-Policy"] = _policy(request)
        return response

    return cast(View, shown)


def _speak(request: HttpRequest) -> None:
    language = language_of(request, cast(User, request.user).locale)
    translation.activate(language)
    request.LANGUAGE_CODE = language


def _policy(request: HttpRequest) -> str:
    """The socket by name: not every browser counts it to `'self'`."""
    scheme = "wss" if request.is_secure() else "ws"
    return f"{settings.CHAT_CONTENT_SECURITY_POLICY}; connect-src 'self' {scheme}://{request.get_host()}"


def _as_page(refused: RefusedError) -> Exception:
    match refused.problem.status:
        case 404:
            return Http404()
        case 403:
            return PermissionDenied()
    return BadRequest(refused.problem.code)
