"""The console: our own admin site, so that its front page and words are ours."""

from typing import Any

from django.contrib.admin import AdminSite
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.search import latest_changes
from apps.audit.services.waiting import waiting
from config.sidebar import groups_of


class ConsoleSite(AdminSite):
    """Where staff build, release and operate agents."""

    site_title = _("Steward 控制台")
    site_header = _("Steward 控制台")
    index_title = _("概览")
    enable_nav_sidebar = True

    def each_context(self, request: HttpRequest) -> dict[str, Any]:
        """With the sidebar's groups, and what waits for the reader."""
        context = super().each_context(request)
        user = request.user
        groups = []
        if isinstance(user, User) and self.has_permission(request):
            counts = waiting(user)
            groups = groups_of(context["available_apps"], user, request.path, counts)
        items = [item for group in groups for item in group.items]
        return context | {
            "console_groups": groups,
            "console_title": next((i.label for i in items if i.url == request.path), ""),
            "needs": [item for item in items if item.waiting],
        }

    def index(self, request: HttpRequest, extra_context: Any = None) -> TemplateResponse:
        """What needs the reader, and what was changed lately."""
        user = request.user
        changes = latest_changes(Actor.of(user)) if isinstance(user, User) else []
        return super().index(request, (extra_context or {}) | {"changes": changes})
