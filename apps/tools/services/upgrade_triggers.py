"""Measures whether the contract of tools has become too narrow, and tells once if it has."""

from collections.abc import Iterable
from pathlib import Path

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from apps.audit.models import Alert
from apps.audit.services.admin_tasks import open_task
from apps.audit.services.alerts import raise_alert
from apps.tools.registry import catalogue
from apps.tools.static_check import own_folders
from apps.tools.triggers import json_in_string, parse_errors, session_lookups
from apps.tools.triggers.trigger import Trigger

CAUSE, KIND = "upgrade_trigger", "trigger"


def measure() -> list[Trigger]:
    """All three, met or not."""
    tools = catalogue.all()
    folders = own_folders(Path(config.path) for config in apps.get_app_configs())
    return [
        json_in_string.measure(tools, folders),
        parse_errors.measure(tools),
        session_lookups.measure(folders),
    ]


def tell_of(triggers: Iterable[Trigger]) -> int:
    """One alert and one open task for each that is met; none while one of either is open."""
    with translation.override(settings.LANGUAGE_CODE):
        return sum(_tell(trigger) for trigger in triggers if trigger.met)


def _tell(trigger: Trigger) -> bool:
    alerts = Alert.objects.filter(cause=CAUSE, object_kind=KIND, object_key=trigger.name)
    if alerts.exclude(state=Alert.State.RESOLVED).exists():
        return False
    detail = "\n".join((trigger.measured, *trigger.evidence))
    with transaction.atomic():
        is_new = open_task(key=f"{CAUSE}:{trigger.name}", title=_title(trigger), detail=detail)
        if is_new:
            raise_alert(
                cause=CAUSE,
                severity=Alert.Severity.WARNING,
                object_kind=KIND,
                object_key=trigger.name,
                detail=detail,
            )
    return is_new


def _title(trigger: Trigger) -> str:
    titles = {
        "json_in_string": _("工具把 JSON 放在字符串里：请为它们声明完整的 JSON Schema"),
        "parse_errors": _("工具参数错误率过高：请改进参数说明或声明完整的 JSON Schema"),
        "session_lookups": _("多个服务重复查询会话信息：请考虑扩充 AgentContext"),
    }
    return titles[trigger.name]
