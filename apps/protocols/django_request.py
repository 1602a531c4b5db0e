"""A Django request made of an ASGI scope, for the parts of Django that want one."""

from io import BytesIO

from django.core.handlers.asgi import ASGIRequest
from django.utils import translation

from apps.protocols.asgi import Scope


def request_of(scope: Scope) -> ASGIRequest:
    """The request without its body: the raw endpoints read that themselves."""
    # Without its content type Django will not look for a form in the body either.
    headers = [(name, value) for name, value in scope["headers"] if name != b"content-type"]
    # A handshake has no method of its own: it is a GET.
    return ASGIRequest({"method": "GET", **scope, "headers": headers}, BytesIO())


def language_of(scope: Scope) -> str:
    """The language that a stranger prefers, else the site's own."""
    return translation.get_language_from_request(request_of(scope))
