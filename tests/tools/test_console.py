"""Quotas, switches and the catalogue in the console."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from apps.accounts.models import Organisation, User
from apps.audit.models import ConfigAuditLog
from apps.lib import clock
from apps.tools.models import Quota, QuotaUse, Switch
from apps.tools.registry import catalogue
from tests import factories
from tests.audit.console import SignIn, sign_in
from tests.audit.rows import append, pair

__all__ = ["sign_in"]
QUOTAS, SWITCHES = "/admin/tools/quota/", "/admin/tools/switch/"
CATALOGUE = "/admin/tools/catalogue/"
VALUES = {"name": "q", "limit": 5, "window_s": 60, "is_on": "on", "reason": "too many"}


def quota_of(organisation: Organisation | None, **values: Any) -> Quota:
    fields: dict[str, Any] = {"name": "q", "limit": 5, "window_s": 3600}
    return Quota.objects.create(organisation=organisation, **(fields | values))


@pytest.mark.req("TOOL-21")
def test_a_quota_is_made_for_the_own_organisation_and_written_down(
    sign_in: SignIn, client: Client, organisation: Organisation, other_organisation: Organisation
) -> None:
    user = sign_in("planner")
    given = VALUES | {"organisation": other_organisation.pk}
    assert client.post(f"{QUOTAS}add/", given).status_code == 302
    quota = Quota.objects.get()
    assert (quota.organisation, quota.limit) == (organisation, 5)
    change = f"{QUOTAS}{quota.pk}/change/"
    assert client.post(change, VALUES | {"limit": 6, "reason": ""}).status_code == 200
    assert client.post(change, VALUES | {"limit": 7, "reason": "more"}).status_code == 302
    log = ConfigAuditLog.objects.order_by("pk")
    assert [(row.username, row.action, row.reason) for row in log] == [
        (user.username, "save_quota", "too many"), (user.username, "save_quota", "more"),
    ]  # fmt: skip
    assert ('"limit":5' in log[1].before, '"limit":7' in log[1].after) == (True, True)


@pytest.mark.parametrize(
    ("wrong", "told"), [({"window_s": 0}, "3600"), ({"window_s": 9_999_999}, "2678400")]
)
def test_a_faulty_quota_is_told_what_to_mend(
    sign_in: SignIn, client: Client, wrong: Any, told: str
) -> None:
    sign_in("planner")
    page = client.post(f"{QUOTAS}add/", VALUES | wrong).content.decode()
    assert told in page.split("errorlist")[1].split("</ul>")[0]
    assert not Quota.objects.exists()


@pytest.mark.req("MCP-6")
def test_quotas_of_others_are_not_there_and_those_of_all_are_read_only(
    sign_in: SignIn, client: Client, other_organisation: Organisation
) -> None:
    theirs, all_of_us = quota_of(other_organisation, name="theirs"), quota_of(None, name="for all")
    sign_in("planner")
    page = client.get(QUOTAS).content.decode()
    assert "for all" in page
    assert "theirs" not in page
    for quota in (theirs, all_of_us):
        client.post(f"{QUOTAS}{quota.pk}/change/", VALUES | {"limit": 9})
    assert set(Quota.objects.values_list("limit", flat=True)) == {5}


@pytest.mark.req("TOOL-21")
def test_the_use_of_the_running_window_is_shown(
    sign_in: SignIn, client: Client, organisation: Organisation
) -> None:
    user, quota = sign_in("planner"), quota_of(organisation)
    now = int(clock.now().timestamp()) // 3600 * 3600
    for start, used in ((now, 3), (now - 3600, 5)):
        QuotaUse.objects.create(quota=quota, subject=user.pk, window_start=start, used=used)
    assert "3 / 5 · planner" in client.get(QUOTAS).content.decode()


@pytest.mark.req("TOOL-27")
def test_a_tool_is_switched_off_and_on_with_a_reason(sign_in: SignIn, client: Client) -> None:
    sign_in("switcher")
    off = f"{SWITCHES}add/?kind=tool&key=create_student"
    assert 'value="create_student"' in client.get(off).content.decode()
    given = {"kind": "tool", "key": "create_student"}
    assert client.post(off, given | {"reason": ""}).status_code == 400
    assert not Switch.objects.exists()
    assert client.post(off, given | {"reason": "broken"}).status_code == 302
    switch = Switch.objects.get()
    assert (switch.is_off, switch.reason) == (True, "broken")
    assert client.post(off, given | {"reason": "again"}).status_code == 400
    on = f"{SWITCHES}{switch.pk}/on/"
    assert on in client.get(SWITCHES).content.decode()
    assert on in client.get(CATALOGUE).content.decode()
    assert client.get(on).status_code == 200
    assert client.post(on, {"reason": "mended"}).status_code == 302
    assert not Switch.objects.get().is_off
    reasons = ConfigAuditLog.objects.order_by("pk").values_list("action", "reason")
    assert list(reasons) == [("switch_off", "broken"), ("switch_on", "mended")]


@pytest.mark.req("MCP-6")
def test_people_of_others_are_not_switched_and_not_seen(
    sign_in: SignIn, client: Client, alice: User, carol: User
) -> None:
    sign_in("switcher")
    for username in ("alice", "carol"):
        client.post(f"{SWITCHES}add/", {"kind": "user", "key": username, "reason": "left"})
    assert list(Switch.objects.values_list("key", flat=True)) == [str(alice.pk)]
    theirs = Switch.objects.create(
        kind="user", key=str(carol.pk), reason="theirs", changed_at=clock.now(), changed_by="x"
    )
    page = client.get(SWITCHES).content.decode()
    assert "alice" in page
    assert "theirs" not in page
    assert client.post(f"{SWITCHES}{theirs.pk}/on/", {"reason": "x"}).status_code == 404


@pytest.mark.req("TOOL-27")
def test_without_the_right_nothing_is_switched(sign_in: SignIn, client: Client) -> None:
    switch = Switch.objects.create(
        kind="tool", key="t", reason="r", changed_at=clock.now(), changed_by="x"
    )
    for who in ("nobody", "auditor", "planner"):
        sign_in(who)
        for page in (SWITCHES, f"{SWITCHES}add/", f"{SWITCHES}{switch.pk}/on/"):
            assert client.get(page).status_code == 403
        given = {"kind": "tool", "key": "u", "reason": "r"}
        assert client.post(f"{SWITCHES}add/", given).status_code == 403
        assert client.post(f"{SWITCHES}{switch.pk}/on/", {"reason": "r"}).status_code == 403
    assert list(Switch.objects.values_list("key", "is_off")) == [("t", True)]


def test_the_catalogue_tells_who_may_use_a_tool_and_how_it_does(
    sign_in: SignIn, client: Client, organisation: Organisation, other_organisation: Organisation,
    alice: User, carol: User,
) -> None:  # fmt: skip
    mine: dict[str, Any] = {"organisation_id": organisation.pk, "tool": "create_student"}
    old = clock.now() - timedelta(days=8)
    append(*pair(**mine), *pair("failed", **mine), *pair("refused", at=old, **mine))
    append(*pair(**(mine | {"organisation_id": other_organisation.pk})))
    sign_in("auditor")
    page = client.get(CATALOGUE, headers={"accept-language": "en"}).content.decode()
    row = page.split(f'href="{CATALOGUE}create_student/"')[1].split("</tr>")[0]
    numbers = [cell.split("<")[0].strip() for cell in row.split('<td class="number">')[1:]]
    assert numbers == ["1", "2", "3", "50.0 %", "—"]
    assert "students.add_student" in row
    assert "switch/add" not in row
    assert all(f"{CATALOGUE}{tool.name}/" in page for tool in catalogue.all())


def test_one_tools_page_shows_what_it_takes(sign_in: SignIn, client: Client) -> None:
    sign_in("switcher")
    page = client.get(f"{CATALOGUE}create_student/").content.decode()
    assert "&quot;properties&quot;" in page
    assert "switch/add/?kind=tool&amp;key=create_student" in page
    assert client.get(f"{CATALOGUE}no_such_tool/").status_code == 404


@pytest.mark.req("MCP-6")
def test_the_catalogue_is_not_for_everybody(
    sign_in: SignIn, client: Client, organisation: Organisation
) -> None:
    assert client.get(CATALOGUE).status_code == 302
    sign_in("nobody")
    assert client.get(CATALOGUE).status_code == 403
    assert client.get(f"{CATALOGUE}create_student/").status_code == 403
    client.force_login(factories.make_user("chatter", organisation, "audit.view_audit"))
    assert client.get(CATALOGUE).status_code == 302
