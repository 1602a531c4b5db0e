"""Auditors read the rows of their organisation; nobody changes any."""

from collections.abc import Callable

import pytest
from django.db import DatabaseError, transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.models import Organisation, User
from apps.audit import chain
from apps.audit.models import AuditEntry, SecurityEvent
from apps.lib import clock
from apps.lib.ids import new_id
from tests import factories

Make = Callable[[Organisation, str], AuditEntry]


def entry(organisation: Organisation, username: str) -> AuditEntry:
    row = AuditEntry(
        audit_id=new_id(),
        phase="before",
        at=clock.now(),
        user_id=1,
        username=username,
        organisation_id=organisation.pk,
        agent="assistant",
        tool="create_student",
        run_id=new_id(),
        tool_call_id=new_id(),
        surface="chat",
        trace_id="0" * 32,
        body="{}",
    )
    chain.append([row])
    return row


@pytest.fixture
def auditor(organisation: Organisation, client: Client) -> User:
    user = factories.make_user("auditor", organisation, "audit.view_audit", is_staff=True)
    client.force_login(user)
    return user


PAGES = ["audit_auditentry", "audit_securityevent", "tools_toolrun"]


@pytest.mark.parametrize("page", PAGES)
def test_an_auditor_reads_and_cannot_write(auditor: User, client: Client, page: str) -> None:
    assert client.get(reverse(f"admin:{page}_changelist")).status_code == 200
    assert client.get(reverse(f"admin:{page}_add")).status_code == 403


@pytest.mark.parametrize("page", PAGES)
def test_without_the_right_nothing_is_read(operator: User, client: Client, page: str) -> None:
    client.force_login(operator)
    assert client.get(reverse(f"admin:{page}_changelist")).status_code == 403


@pytest.mark.req("MCP-6")
def test_an_auditor_sees_one_organisation(
    auditor: User, client: Client, organisation: Organisation, other_organisation: Organisation
) -> None:
    mine, theirs = entry(organisation, "alice"), entry(other_organisation, "carol")
    page = client.get(reverse("admin:audit_auditentry_changelist")).content.decode()
    assert "alice" in page
    assert "carol" not in page
    one = reverse("admin:audit_auditentry_change", args=[mine.pk])
    other = reverse("admin:audit_auditentry_change", args=[theirs.pk])
    assert client.get(one).status_code == 200
    assert client.get(other).status_code == 302
    assert client.post(one, {"username": "mallory"}).status_code == 403


@pytest.mark.parametrize("table", [AuditEntry, SecurityEvent])
def test_rows_cannot_be_changed(organisation: Organisation, table: type) -> None:
    if table is AuditEntry:
        row: AuditEntry | SecurityEvent = entry(organisation, "alice")
    else:
        row = SecurityEvent(
            kind="refused", at=clock.now(), audit_id=new_id(), user_id=1, username="alice",
            organisation_id=organisation.pk, tool="x", trace_id="0" * 32, detail="x",
        )  # fmt: skip
        chain.append([row])
    for change in (lambda: row.delete(), lambda: row.save()):
        with pytest.raises(DatabaseError, match="immutable"), transaction.atomic():
            change()
