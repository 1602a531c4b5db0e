"""What holds for every answer of Django: a trace id, a strict content policy, a clean address."""

from collections.abc import Callable

import structlog
from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse

from apps.lib.trace import trace_id_of

GetResponse = Callable[[HttpRequest], HttpResponse]


class TraceMiddleware:
    """One trace id a request: in its log lines, in `request.trace_id`, on its answer."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        trace_id = trace_id_of(request.headers.get("traceparent", ""))
        request.trace_id = trace_id  # type: ignore[attr-defined]
        with structlog.contextvars.bound_contextvars(trace_id=trace_id):
            response = self.get_response(request)
        response.headers.setdefault("X-Trace-Id", trace_id)
        return response


class ContentSecurityPolicyMiddleware:
    """Scripts and styles come from our own files only, and nobody frames us."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        response.headers.setdefault("Content-Security-Policy", settings.CONTENT_SECURITY_POLICY)
        return response


class PlainAddressMiddleware:
    """Refuses NUL and half characters in the address: no database can look for them."""

    def __init__(self, get_response: GetResponse) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        texts = [request.path_info, *request.GET, *(v for vs in request.GET.lists() for v in vs[1])]
        if any(_unstorable(text) for text in texts):
            raise BadRequest("NUL or half character in the address")
        return self.get_response(request)


def _unstorable(text: str) -> bool:
    return "\0" in text or any("\ud800" <= letter <= "\udfff" for letter in text)
