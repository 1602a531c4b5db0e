"""People of the console, and rows for them to meet."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Organisation, User
from apps.audit.services.alerts import raise_alert
from apps.audit.services.dead_letters import bury
from tests import factories

TRACE = "ab" * 16
RIGHTS = {
    "auditor": ("audit.view_audit",),
    "keeper": ("audit.operate_audit",),
    "switcher": ("tools.change_switch", "tools.view_switch"),
    "planner": ("tools.add_quota", "tools.change_quota", "tools.view_quota"),
    "ruler": (
        "audit.view_sanitizerrule",
        "audit.add_sanitizerrule",
        "audit.change_sanitizerrule",
        "audit.delete_sanitizerrule",
    ),
    "nobody": (),
}
SignIn = Callable[[str], User]


@pytest.fixture
def sign_in(organisation: Organisation, client: Client) -> SignIn:
    """Staff of one organisation with the rights of that name."""

    def come(name: str) -> User:
        user = User.objects.filter(username=name).first()
        user = user or factories.make_user(name, organisation, *RIGHTS[name], is_staff=True)
        client.force_login(user)
        return user

    return come


def letter_of(organisation: Organisation, **values: Any) -> int:
    fields: dict[str, Any] = {
        "kind": "test",
        "key": "1",
        "reason": "why",
        "payload": "{}",
        "attempts": 4,
    }
    return bury(organisation_id=organisation.pk, **(fields | values)).pk


def alert_of(organisation: Organisation | None, **values: Any) -> int:
    fields: dict[str, Any] = {"cause": "audit_open", "severity": "critical", "detail": "why"}
    home = organisation.pk if organisation else None
    return raise_alert(organisation_id=home, **(fields | values)).pk
