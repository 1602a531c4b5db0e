"""Sign-in by password, with few tries a minute, right across processes where they share a cache."""

import hashlib
import time

from django.conf import settings
from django.contrib.auth import authenticate
from django.core.cache import cache
from django.http import HttpRequest
from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.lib.problem import Problem, RefusedError

WINDOW_S = 60
# One name from one address; one name from anywhere; one address whatever the name.
_SHARES = {"pair": 1, "name": 5, "address": 5}


def sign_in(*, request: HttpRequest, username: str, password: str) -> User | None:
    """The user, or None when name and password do not fit; RefusedError 429 after too many tries.

    A try is counted before the password is looked at, and a right one is given back.
    """
    keys = _keys(username, request.META.get("REMOTE_ADDR", ""))
    _take(keys)
    user = authenticate(request, username=username, password=password)
    if not isinstance(user, User):
        return None
    _give_back(keys)
    return user


def _keys(username: str, address: str) -> dict[str, int]:
    """How many tries each counter allows."""
    whose = {"pair": f"{username}\n{address}", "name": username, "address": address}
    limit: int = settings.LOGIN_ATTEMPTS_PER_MINUTE
    return {
        f"sign-in:{kind}:{_digest(whose[kind])}": share * limit for kind, share in _SHARES.items()
    }


def _digest(text: str) -> str:
    return hashlib.sha256(text.casefold().encode("utf-8", "replace")).hexdigest()[:32]


def _take(keys: dict[str, int]) -> None:
    if not settings.LOGIN_ATTEMPTS_PER_MINUTE:
        return
    for key, allowed in keys.items():
        if _count(key) > allowed:
            raise _too_many(_seconds_left(key))


def _count(key: str) -> int:
    """This try's number in the window, which begins with its first try."""
    while True:
        if cache.add(key, 0, WINDOW_S):
            cache.set(f"{key}:end", time.time() + WINDOW_S, WINDOW_S)
        try:
            return cache.incr(key)
        except ValueError:  # the window ended between the two
            continue


def _give_back(keys: dict[str, int]) -> None:
    for key in keys:
        try:
            cache.decr(key)
        except ValueError:  # the window has ended
            continue


def _seconds_left(key: str) -> int:
    end: float = cache.get(f"{key}:end") or time.time() + WINDOW_S
    return max(1, round(end - time.time()))


def _too_many(retry_after: int) -> RefusedError:
    return RefusedError(
        Problem(
            status=429,
            code="rate_limited",
            title=_("登录尝试过多"),
            detail=_("请在 %(seconds)d 秒后重试。") % {"seconds": retry_after},
            retry_after=retry_after,
        )
    )
