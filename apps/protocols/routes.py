"""The raw endpoints by their paths; everything else is Django's."""

from typing import Any

from django.urls import URLPattern, path

from apps.protocols.chat_sse import ChatStream, RunEvents, SubmitStream

CONVERSATION = "api/ai/chat/conversations/<str:conversation_id>"


def http_routes() -> list[URLPattern]:
    """For Channels' URLRouter."""
    return [
        _route(f"{CONVERSATION}/stream", ChatStream(), "chat-stream"),
        _route(f"{CONVERSATION}/forms/<str:form_id>/submit/stream", SubmitStream(), "form-submit"),
        _route(f"{CONVERSATION}/runs/<str:run_id>/events", RunEvents(), "run-events"),
    ]


def _route(pattern: str, application: Any, name: str) -> URLPattern:
    """Django's `path` is typed for views; Channels routes applications with it."""
    route: URLPattern = path(pattern, application, name=name)
    return route
