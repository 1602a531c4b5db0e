"""Every address of Django's; `tests/platform/test_every_route.py` holds a rule for each."""

from django.contrib import admin
from django.contrib.auth.decorators import login_required
from django.urls import URLPattern, URLResolver, include, path
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView

from apps.accounts.api import TokenView
from apps.audit.admin.trace import trace_page
from apps.tools.admin.catalogue import catalogue_page, tool_page
from config import errors, operations, pages

urlpatterns: list[URLPattern | URLResolver] = [
    path("", include("apps.conversations.pages.urls")),
    path("accounts/", include("apps.accounts.urls")),
    path("admin/login/", pages.console_sign_in),
    path(
        "admin/audit/trace/<str:trace_id>/", admin.site.admin_view(trace_page), name="console_trace"
    ),
    path("admin/tools/catalogue/", admin.site.admin_view(catalogue_page), name="console_catalogue"),
    path(
        "admin/tools/catalogue/<str:name>/", admin.site.admin_view(tool_page), name="console_tool"
    ),
    path("admin/", admin.site.urls),
    path("favicon.ico", pages.favicon),
    path("healthz", operations.healthz),
    path("readyz", operations.readyz),
    path("metrics", operations.metrics_page),
    path("api/auth/token/", TokenView.as_view(), name="token"),
    path("api/agents/", include("apps.agents.api.urls")),
    path("api/", include("apps.conversations.api.urls")),
    path("api/schema/", SpectacularAPIView.as_view(), name="schema"),
    path(
        "api/docs/",
        login_required(SpectacularSwaggerSplitView.as_view(url_name="schema")),
        name="docs",
    ),
]
handler400 = errors.bad_request
handler403 = errors.permission_denied
handler404 = errors.page_not_found
handler500 = errors.server_error
