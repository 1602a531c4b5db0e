"""The page of one trace: who sees it, and what it tells."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Organisation
from apps.audit.timeline import timeline_of
from apps.lib import clock
from tests.audit.console import TRACE, SignIn, sign_in
from tests.audit.rows import append, entry, event, pair

__all__ = ["sign_in"]
ADDRESS = f"/admin/audit/trace/{TRACE}/"
BODY = '{"arguments":{"name":"Zhang"},"step":2}'


def test_it_shows_each_call_with_its_outcome(
    sign_in: SignIn, client: Client, organisation: Organisation
) -> None:
    mine: dict[str, Any] = {"organisation_id": organisation.pk, "trace_id": TRACE}
    found = pair(tool="search_students", **mine)
    refused = pair("refused", tool="create_student", body=BODY, **mine)
    append(*found, *refused, entry(tool="send_mail", **mine))
    append(event(audit_id=refused[0].audit_id, detail="no right", **mine))
    sign_in("auditor")
    page = client.get(ADDRESS, headers={"accept-language": "en"}).content.decode()
    rows = page.split('class="step"')[1:]
    assert [re.search(r"<code>(\w+)</code>", row)[1] for row in rows] == [  # type: ignore[index]
        "search_students", "create_student", "send_mail",
    ]  # fmt: skip
    assert "Succeeded" in rows[0]
    assert "no right" in rows[1]
    assert "Zhang" in rows[1]
    assert "No outcome yet" in rows[2]


@pytest.mark.req("MCP-6")
def test_another_organisation_finds_nothing(
    sign_in: SignIn, client: Client, other_organisation: Organisation
) -> None:
    theirs: dict[str, Any] = {"organisation_id": other_organisation.pk, "trace_id": TRACE}
    append(*pair(**theirs))
    append(event(**theirs))
    sign_in("auditor")
    assert client.get(ADDRESS).status_code == 404


def test_without_the_right_there_is_no_page(sign_in: SignIn, client: Client) -> None:
    assert client.get(ADDRESS).status_code == 302
    sign_in("nobody")
    assert client.get(ADDRESS).status_code == 403


def test_bars_are_to_scale() -> None:
    at = clock.now()
    first = pair(at=at)
    second = pair(at=at + timedelta(seconds=1))
    first[1].body = '{"durationMs":1000}'
    second[1].body = '{"durationMs":3000}'
    timeline = timeline_of([*first, *second], [])
    assert timeline is not None
    assert [(step.offset, step.width) for step in timeline.steps] == [(0, 250), (250, 750)]
    assert timeline.duration_ms == 4_000


def test_an_open_call_reaches_to_the_end_and_nonsense_is_shown() -> None:
    at = clock.now()
    timeline = timeline_of([entry(at=at, body="nonsense"), *pair(at=at + timedelta(seconds=1))], [])
    assert timeline is not None
    assert (timeline.steps[0].offset, timeline.steps[0].width) == (0, 1_000)
    assert timeline.steps[0].after is None


def test_lists_lead_to_it(sign_in: SignIn, client: Client, organisation: Organisation) -> None:
    mine: dict[str, Any] = {"organisation_id": organisation.pk, "trace_id": TRACE}
    append(*pair(**mine))
    append(event(**mine))
    sign_in("auditor")
    for table in ("auditentry", "securityevent"):
        assert ADDRESS in client.get(f"/admin/audit/{table}/").content.decode()
