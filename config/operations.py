"""What machines ask: does the process live, may it get work, what does it count."""

import hmac
from collections.abc import Callable, Iterator

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from apps.lib import metrics
from apps.lib.api_problems import as_response, not_authenticated
from apps.lib.immutable import missing_triggers
from apps.lib.problem import Problem


@never_cache
@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is asked."""
    return JsonResponse({"status": "alive"})


@never_cache
@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """200, or 503 with what is missing before this process should get work."""
    reasons = [*_of_server(request), *_of_database()]
    if reasons:
        return JsonResponse({"status": "unready", "reasons": reasons}, status=503)
    return JsonResponse({"status": "ready"})


@never_cache
@require_safe
def metrics_page(request: HttpRequest) -> HttpResponse:
    """For the holder of `METRICS_TOKEN` (`Authorization: Bearer …`), and for staff."""
    scheme, _space, offered = request.headers.get("Authorization", "").partition(" ")
    known = scheme.lower() in ("bearer", "token") and _is_token(offered)
    if not known and not request.user.is_authenticated:
        return as_response(not_authenticated())
    if not known and not getattr(request.user, "is_staff", False):
        detail = _("只有管理人员可以查看指标。")
        return as_response(
            Problem(status=403, code="permission_denied", title=_("没有权限"), detail=detail)
        )
    text, content_type = metrics.exposition(request.headers.get("Accept", ""))
    return HttpResponse(text, content_type=content_type)


def _is_token(offered: str) -> bool:
    """In a time that does not tell how much of it is right; an unset token fits nothing."""
    token = settings.METRICS_TOKEN
    return bool(token) and hmac.compare_digest(token.reveal().encode(), offered.encode())


def _of_server(request: HttpRequest) -> Iterator[str]:
    """What `manage.py serve` says of itself; another server says nothing."""
    unready: Callable[[], tuple[str, ...]] | None = getattr(request, "scope", {}).get("unready")
    if unready:
        yield from unready()


def _of_database() -> Iterator[str]:
    try:
        if _pending_migrations():
            yield "migrations pending"
        else:
            yield from (f"trigger missing: {name}" for name in missing_triggers(connection))
    except DatabaseError:
        yield "database unreachable"


def _pending_migrations() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
