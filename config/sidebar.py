"""The console's pages in groups, as people work: build, release, operate, evaluate.

A page that stands in no group is shown under its app, so that nothing gets lost.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from apps.accounts.models import User
from apps.tools.services.catalogue import may_look

GROUPS: Mapping[Promise, tuple[str, ...]] = {
    _("构建"): ("agents.agent", "tools.catalogue", "agents.provider"),
    _("版本发布"): ("agents.publishrecord", "agents.releaseevent"),
    _("运维"): (
        "audit.alert", "audit.deadletter", "audit.admintask", "tools.switch", "tools.quota",
        "tools.toolrun", "audit.auditentry", "audit.securityevent", "audit.configauditlog",
        "audit.sanitizerrule",
    ),
    _("评估"): (),
}  # fmt: skip
LABELS: Mapping[str, Promise] = {
    "agents.agent": _("智能体管理"),
    "agents.provider": _("模型接入"),
    "agents.publishrecord": _("发布历史"),
    "agents.releaseevent": _("上线与回滚"),
    "audit.admintask": _("管理待办"),
    "audit.alert": _("告警中心"),
    "audit.auditentry": _("审计日志"),
    "audit.configauditlog": _("变更日志"),
    "audit.deadletter": _("死信队列"),
    "audit.sanitizerrule": _("脱敏规则库"),
    "audit.securityevent": _("安全日志"),
    "tools.quota": _("配额管理"),
    "tools.switch": _("开关管理"),
    "tools.toolrun": _("调用明细"),
}


@dataclass(frozen=True, slots=True)
class Item:
    """One page, and how much waits there."""

    label: str | Promise
    url: str
    waiting: int = 0
    here: bool = False


@dataclass(frozen=True, slots=True)
class Group:
    """Pages that belong together; `items` are those that the reader may see."""

    title: str | Promise
    items: Sequence[Item]


def groups_of(
    apps: Sequence[Mapping[str, Any]], user: User, path: str, waiting: Mapping[str, int]
) -> list[Group]:
    """From Django's list of apps, which knows the reader's rights; none without a page."""
    pages = dict(_pages(apps, user, path, waiting))
    placed = {key for keys in GROUPS.values() for key in keys}
    own = [
        Group(title, [pages[key] for key in keys if key in pages]) for title, keys in GROUPS.items()
    ]
    rest = [
        Group(app["name"], [pages[key] for key in _keys(app) if key in pages and key not in placed])
        for app in apps
    ]
    return [group for group in (*own, *rest) if group.items]


def _pages(
    apps: Sequence[Mapping[str, Any]], user: User, path: str, waiting: Mapping[str, int]
) -> Iterator[tuple[str, Item]]:
    for app in apps:
        for key, model in zip(_keys(app), app["models"], strict=True):
            if url := model["admin_url"]:
                label = LABELS.get(key, model["name"])
                yield key, Item(label, url, waiting.get(key, 0), path.startswith(url))
    if may_look(user):
        url = reverse("console_catalogue")
        yield "tools.catalogue", Item(_("工具目录"), url, 0, path.startswith(url))


def _keys(app: Mapping[str, Any]) -> list[str]:
    return [f"{app['app_label']}.{model['object_name'].lower()}" for model in app["models"]]
