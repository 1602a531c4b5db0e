"""
Who is at the door of a raw endpoint: session or token, CSRF, language, all in one bridge call.

Guarantees: the order of the contract (401, CSRF 403, then what the endpoint checks); refusals are
told in the caller's language; nothing of the body is read before the caller is known.
The actions of a socket come with no CSRF token: its origin was checked when it was opened.
"""

from collections.abc import Callable
from typing import TypeVar

from django.contrib.auth import get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.sessions.middleware import SessionMiddleware
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils import translation
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.authentication import authenticate_token, names_a_token
from apps.accounts.language import language_of
from apps.accounts.models import User
from apps.conversations.refusals import unavailable
from apps.lib import api_problems, bridge
from apps.lib.problem import RefusedError
from apps.protocols.asgi import Scope
from apps.protocols.django_request import request_of

T = TypeVar("T")


async def admitted(scope: Scope, work: Callable[[Actor], T]) -> T:
    """`admit` behind the bridge; RefusedError 503 when a row stayed locked for too long."""
    try:
        return await bridge.call(admit, scope, work)
    except bridge.LockTimeoutError as error:
        raise unavailable("busy", _("系统繁忙，请稍后再试。")) from error


def admit(scope: Scope, work: Callable[[Actor], T]) -> T:
    """`work` for the caller, in his language; RefusedError before it when he may not enter."""
    request = request_of(scope)
    strangers = translation.get_language_from_request(request)
    with translation.override(strangers):
        _require_known_host(request)
        user = _caller(request)
    with translation.override(language_of(request, user.locale)):
        if scope["type"] != "websocket" and not _has_token(request):
            _require_csrf(request)
        return work(Actor.of(user))


def _require_known_host(request: HttpRequest) -> None:
    try:
        request.get_host()
    except DisallowedHost as error:
        raise RefusedError(api_problems.malformed()) from error


def _caller(request: HttpRequest) -> User:
    if _has_token(request):
        user = authenticate_token(request.headers["Authorization"])
    else:
        user = _signed_in(request)
    if user is None:
        raise RefusedError(api_problems.not_authenticated())
    return user


def _signed_in(request: HttpRequest) -> User | None:
    SessionMiddleware(_nowhere).process_request(request)
    user = get_user(request)
    return None if isinstance(user, AnonymousUser) else user


def _has_token(request: HttpRequest) -> bool:
    return names_a_token(request.headers.get("Authorization", ""))


def _require_csrf(request: HttpRequest) -> None:
    """As Django's middleware does for every view; its answer is a page, ours a problem."""
    guard = CsrfViewMiddleware(_nowhere)
    guard.process_request(request)
    if guard.process_view(request, _nowhere, (), {}) is not None:
        raise RefusedError(api_problems.csrf_failed())


def _nowhere(request: HttpRequest) -> HttpResponse:
    """What would come behind the middleware; nothing here gets that far."""
    return HttpResponse()
