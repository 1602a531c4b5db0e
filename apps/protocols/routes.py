"""The raw endpoints by their paths; everything else is Django's."""

from typing import Any

from channels.routing import URLRouter
from django.urls import URLPattern, path, re_path

from apps.protocols.asgi import Receive, Scope, Send
from apps.protocols.chat_socket import ChatSocket
from apps.protocols.chat_sse import ChatStream, RegenerateStream, RunEvents, SubmitStream
from apps.protocols.origin import OwnOrigin

CONVERSATION = "api/ai/chat/conversations/<str:conversation_id>"


def http_routes() -> list[URLPattern]:
    """For Channels' URLRouter."""
    return [
        _route(f"{CONVERSATION}/stream", ChatStream(), "chat-stream"),
        _route(f"{CONVERSATION}/regenerate/stream", RegenerateStream(), "chat-regenerate"),
        _route(f"{CONVERSATION}/forms/<str:form_id>/submit/stream", SubmitStream(), "form-submit"),
        _route(f"{CONVERSATION}/runs/<str:run_id>/events", RunEvents(), "run-events"),
    ]


def sockets() -> OwnOrigin:
    """All WebSocket endpoints, for pages of this site only."""
    chat = _route("ws/chat/<str:conversation_id>/", ChatSocket.as_asgi(), "chat-socket")
    routes: list[Any] = [chat, _anything(no_socket)]
    router: Any = URLRouter(routes)
    return OwnOrigin(router)


async def no_socket(scope: Scope, receive: Receive, send: Send) -> None:
    """Refuse the handshake (403): there is no endpoint here."""
    await send({"type": "websocket.close"})


def _anything(application: Any) -> Any:
    return re_path(r"", application)


def _route(pattern: str, application: Any, name: str) -> URLPattern:
    """Django's `path` is typed for views; Channels routes applications with it."""
    route: URLPattern = path(pattern, application, name=name)
    return route
