"""The list of audit entries: searched, and taken out."""

import json
import re
from datetime import UTC, datetime
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Organisation
from apps.audit.models import ConfigAuditLog
from tests.audit.console import TRACE, SignIn, sign_in
from tests.audit.rows import append, pair

__all__ = ["sign_in"]
LIST, EXPORT = "/admin/audit/auditentry/", "/admin/audit/auditentry/export/"
MARCH, APRIL = datetime(2026, 3, 31, 23, 59, tzinfo=UTC), datetime(2026, 4, 1, tzinfo=UTC)


@pytest.fixture
def rows(organisation: Organisation, other_organisation: Organisation) -> None:
    mine: dict[str, Any] = {"organisation_id": organisation.pk}
    append(*pair(username="alice", tool="march_tool", at=MARCH, trace_id=TRACE, **mine))
    append(*pair(username="bob", tool="april_tool", at=APRIL, agent="helper", **mine))
    append(*pair(username="carol", tool="their_tool", organisation_id=other_organisation.pk))


@pytest.mark.parametrize(
    ("asked", "seen", "unseen"),
    [
        ({"username": "alice"}, "march_tool", "april_tool"),
        ({"agent": "helper"}, "april_tool", "march_tool"),
        ({"tool": "april_tool"}, "april_tool", "march_tool"),
        ({"trace_id": TRACE}, "march_tool", "april_tool"),
        ({"since": "2026-04-01"}, "april_tool", "march_tool"),
        ({"until": "2026-03-31"}, "march_tool", "april_tool"),
        ({"username": "", "until": "2026-03-31", "phase": "after"}, "march_tool", "april_tool"),
    ],
)
def test_it_is_searched(
    sign_in: SignIn, client: Client, rows: None, asked: Any, seen: str, unseen: str
) -> None:
    sign_in("auditor")
    page = client.get(LIST, asked).content.decode().split('id="result_list"')[1]
    assert seen in page
    assert unseen not in page
    assert "their_tool" not in page


def test_a_wrong_day_finds_nothing_and_is_named(
    sign_in: SignIn, client: Client, rows: None
) -> None:
    sign_in("auditor")
    page = client.get(LIST, {"since": "2026-04-02", "until": "2026-04-01"}).content.decode()
    assert "march_tool" not in page
    assert "errorlist" in page


@pytest.mark.req("MCP-6")
def test_the_export_holds_the_period_in_the_readers_scope(
    sign_in: SignIn, client: Client, rows: None
) -> None:
    sign_in("auditor")
    answer = client.post(EXPORT, {"until": "2026-03-31", "kind": "jsonl"})
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [(line["user"], line["phase"]) for line in lines] == [
        ("alice", "before"), ("alice", "after"),
    ]  # fmt: skip
    assert answer["Content-Disposition"] == 'attachment; filename="audit.jsonl"'
    everything = client.post(EXPORT, {"kind": "csv"}).content.decode()
    assert len(everything.splitlines()) == 5
    assert "carol" not in everything
    assert ConfigAuditLog.objects.filter(action="export", username="auditor").count() == 2


@pytest.mark.parametrize(
    "table", ["audit/auditentry", "audit/securityevent", "audit/configauditlog", "tools/toolrun"]
)
def test_filters_and_columns_are_named_in_the_readers_language(
    sign_in: SignIn, client: Client, rows: None, table: str
) -> None:
    sign_in("auditor")
    page = client.get(f"/admin/{table}/", headers={"accept-language": "zh-hans"}).content.decode()
    names = re.findall(r"<summary>([^<]+)</summary>", page)
    names += re.findall(r'<div class="text">(?:<a[^>]*>|<span>)([^<]+)<', page)
    assert names
    assert [name.strip() for name in names if re.search("[a-z]", name)] == []


def test_looking_at_the_page_exports_nothing(sign_in: SignIn, client: Client, rows: None) -> None:
    sign_in("auditor")
    page = client.get(EXPORT, {"username": "alice"})
    assert 'value="alice"' in page.content.decode()
    assert not ConfigAuditLog.objects.exists()
    sign_in("nobody")
    assert client.get(EXPORT).status_code == client.post(EXPORT, {"kind": "csv"}).status_code == 403
