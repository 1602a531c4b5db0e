"""
Who is at the door of a raw endpoint: session or token, CSRF, language, all in one bridge call.

Guarantees: the order of the contract (401, CSRF 403, then what the endpoint checks); refusals are
told in the caller's language; nothing of the body is read before the caller is known.
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
from apps.accounts.models import User
from apps.accounts.services.tokens import user_of_token
from apps.lib.problem import Problem, RefusedError
from apps.protocols.asgi import Scope
from apps.protocols.django_request import request_of

T = TypeVar("T")
SCHEME = "token "


def admit(scope: Scope, work: Callable[[Actor], T]) -> T:
    """`work` for the caller, in his language; RefusedError before it when he may not enter."""
    request = request_of(scope)
    strangers = translation.get_language_from_request(request)
    with translation.override(strangers):
        _require_known_host(request)
        user = _caller(request)
    with translation.override(user.locale or strangers):
        if not _has_token(request):
            _require_csrf(request)
        return work(Actor.of(user))


def _require_known_host(request: HttpRequest) -> None:
    try:
        request.get_host()
    except DisallowedHost as error:
        problem = Problem(status=400, code="unknown_host", title=_("未知的主机名"))
        raise RefusedError(problem) from error


def _caller(request: HttpRequest) -> User:
    if _has_token(request):
        user = user_of_token(request.headers["Authorization"][len(SCHEME) :].strip())
    else:
        SessionMiddleware(_nowhere).process_request(request)
        user = get_user(request)
    if user is None or isinstance(user, AnonymousUser):
        raise RefusedError(
            Problem(
                status=401,
                code="not_authenticated",
                title=_("未登录"),
                detail=_("请先登录，或提供有效的令牌。"),
            )
        )
    return user


def _has_token(request: HttpRequest) -> bool:
    return request.headers.get("Authorization", "").lower().startswith(SCHEME)


def _require_csrf(request: HttpRequest) -> None:
    """As Django's middleware does for every view; its answer is a page, ours a problem."""
    guard = CsrfViewMiddleware(_nowhere)
    guard.process_request(request)
    if guard.process_view(request, _nowhere, (), {}) is not None:
        raise RefusedError(
            Problem(
                status=403,
                code="csrf_failed",
                title=_("CSRF 校验失败"),
                detail=_("请刷新页面后重试。"),
            )
        )


def _nowhere(request: HttpRequest) -> HttpResponse:
    """What would come behind the middleware; nothing here gets that far."""
    return HttpResponse()
