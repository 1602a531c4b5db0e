"""Which application answers what."""

from collections.abc import Awaitable, Callable
from typing import Any

from channels.routing import ProtocolTypeRouter, URLRouter
from django.urls import re_path

from apps.protocols.routes import http_routes, sockets

Application = Callable[[Any, Any, Any], Awaitable[None]]


def route(django: Any) -> Application:
    """Raw routes first, everything else to Django."""
    routes: list[Any] = [*http_routes(), re_path(r"", django)]
    return ProtocolTypeRouter({"http": URLRouter(routes), "websocket": sockets()})
