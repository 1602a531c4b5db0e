"""The catalogue of tools: what is registered, who may use it, how it does, whether it is off."""

import json
from collections import defaultdict

from django.apps import apps
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.accounts.models import User
from apps.audit.admin.reading import operator_of
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.services.catalogue import Listed, listed, may_look


@require_safe
def catalogue_page(request: HttpRequest) -> HttpResponse:
    """All tools, by the app that they belong to."""
    user = _reader(request)
    by_app: dict[str, list[tuple[Listed, list[str]]]] = defaultdict(list)
    for each in listed(user):
        by_app[each.tool.app].append((each, flags_of(each.tool)))
    found = [(app, app_title(app), tools) for app, tools in by_app.items()]
    shown = {"title": _("工具目录"), "apps": found, "may_switch": _may_switch(user)}
    context = admin.site.each_context(request) | shown
    return TemplateResponse(request, "admin/tools/catalogue.html", context)


@require_safe
def tool_page(request: HttpRequest, name: str) -> HttpResponse:
    """One tool, with what it takes."""
    user = _reader(request)
    found = next((each for each in listed(user) if each.tool.name == name), None)
    if found is None:
        raise Http404
    shown = {
        "title": name,
        "listed": found,
        "description": _(found.tool.description),
        "flags": flags_of(found.tool),
        "schema": json.dumps(found.tool.schema, ensure_ascii=False, indent=2),
        "may_switch": _may_switch(user),
    }
    context = admin.site.each_context(request) | shown
    return TemplateResponse(request, "admin/tools/tool.html", context)


def app_title(label: str) -> str:
    """A remote tool's app is its server, which has no other name."""
    names = {app.name: str(app.verbose_name) for app in apps.get_app_configs()}
    return names.get(f"apps.{label}", label)


def flags_of(tool: ToolDescriptor) -> list[str]:
    """What sets a tool apart, in words."""
    flags = (
        (tool.write_action, _("写操作")),
        (tool.destructive, _("不可逆")),
        (tool.control_tool, _("流程工具")),
    )
    return [word for is_set, word in flags if is_set]


def _reader(request: HttpRequest) -> User:
    user = operator_of(request)
    if not may_look(user):
        raise PermissionDenied
    return user


def _may_switch(user: User) -> bool:
    return user.has_perm("tools.change_switch")
