"""Which pages may open a socket: those of this site, since a browser sends its cookies along.

A handshake from elsewhere is refused with 403 before anything looks at it. A program that brings
a token has no cookies to be misused, and need not name an origin.
"""

from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from django.conf import settings
from django.http.request import split_domain_port, validate_host

from apps.accounts.authentication import names_a_token
from apps.protocols.asgi import Receive, Scope, Send, header

DEFAULT_PORTS = {"http": 80, "https": 443}
Application = Callable[[Scope, Receive, Send], Awaitable[None]]


class OwnOrigin:
    """Lets handshakes through to the application if their page is ours."""

    def __init__(self, application: Application) -> None:
        self._application = application

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if may_open(scope):
            await self._application(scope, receive, send)
        else:
            await send({"type": "websocket.close"})


def may_open(scope: Scope) -> bool:
    """The origin that was named must be ours; only a program with a token may name none."""
    origin = header(scope, b"origin")
    if not origin:
        return names_a_token(header(scope, b"authorization"))
    return is_own(origin, host=header(scope, b"host"))


def is_own(origin: str, *, host: str) -> bool:
    """The very host that was asked, or one of our names under its scheme's own port."""
    try:
        parts = urlsplit(origin)
        scheme_port = DEFAULT_PORTS[parts.scheme]
        named = (parts.hostname or "").lower(), parts.port or scheme_port
    except (ValueError, KeyError):
        return False
    if (
        not named[0]
        or "@" in parts.netloc
        or origin.lower() != f"{parts.scheme}://{parts.netloc}".lower()
    ):
        return False
    asked = split_domain_port(host.lower())
    if not _is_ours(asked[0]):
        return False
    own_port = int(asked[1] or scheme_port)
    if (_bracketed(named[0]), named[1]) == (asked[0], own_port):
        return True
    return named[1] == scheme_port and _is_ours(_bracketed(named[0]), any_host=False)


def _is_ours(host: str, *, any_host: bool = True) -> bool:
    """`*` in ALLOWED_HOSTS says that we answer to every name, not that every page is ours."""
    names = [name for name in settings.ALLOWED_HOSTS if any_host or name != "*"]
    return bool(host) and validate_host(host, names)


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
