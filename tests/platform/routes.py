"""Every route of the product, Django's and the raw ones, by walking what serves them."""

from collections.abc import Iterator

from django.urls import URLPattern, URLResolver, get_resolver

from apps.protocols.routes import http_routes


def every_route() -> list[str]:
    """As written, joined: `api/agents/<str:code>/publish/`."""
    django = list(_walk(get_resolver().url_patterns, ""))
    return sorted({*django, *(str(raw.pattern) for raw in http_routes())})


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[str]:
    for pattern in patterns:
        route = prefix + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, route)
        else:
            yield route
