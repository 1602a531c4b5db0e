"""How often a tool may be called: in order, in every scope, never once too often."""

import asyncio
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit.models import AuditEntry, SecurityEvent
from apps.lib import bridge, clock
from apps.tools.models import Quota, QuotaUse, ToolRun
from apps.tools.session import ToolSession
from apps.tools.tasks import forget_quota_windows
from tests.tools.calling import answer, toolbox_of
from tests.tools.conftest import Caller, call_of
from tests.tools.services import ProbeTools

pytestmark = pytest.mark.django_db(transaction=True)
ROOT = Path(__file__).resolve().parents[2]
MANY = 100
DAY = 86_400


def quota(limit: int, **scopes: Any) -> Quota:
    return Quota.objects.create(**({"name": "probe", "limit": limit, "window_s": DAY} | scopes))


def used() -> int:
    return sum(QuotaUse.objects.values_list("used", flat=True))


@pytest.mark.req("TOOL-21")
def test_over_quota_tells_the_time_to_retry(call: Caller) -> None:
    quota(1, window_s=3600)
    assert call("probe_read", text="x").ok
    told = call("probe_read", text="x")
    (seconds,) = re.findall(r"(\d+) 秒", told.error)
    left = 3600 - clock.now().timestamp() % 3600
    assert not told.ok
    assert 0 <= int(seconds) - left <= 30
    assert (len(ProbeTools.calls), used()) == (1, 1)
    assert ToolRun.objects.filter(status="refused").count() == 1
    assert AuditEntry.objects.filter(phase="after", outcome="refused").count() == 1
    assert not SecurityEvent.objects.exists()


@pytest.mark.req("TOOL-21")
def test_the_refusal_speaks_the_callers_language(call: Caller) -> None:
    quota(0)
    call.session = replace(call.session, actor=replace(call.session.actor, locale="en"))
    assert re.search(r"try again in \d+ s$", call("probe_read", text="x").error)


@pytest.mark.req("TOOL-21")
def test_a_new_window_begins_at_zero(call: Caller, monkeypatch: pytest.MonkeyPatch) -> None:
    quota(1, window_s=60)
    assert call("probe_read", text="x").ok
    assert not call("probe_read", text="x").ok
    monkeypatch.setenv("CLOCK_OFFSET_S", "60")
    assert call("probe_read", text="x").ok


@pytest.mark.req("TOOL-21")
@pytest.mark.parametrize(
    ("scopes", "counted"),
    [
        ({}, True),
        ({"tool": "probe_read"}, True),
        ({"tool": "probe_write"}, False),
        ({"agent": "test-agent"}, True),
        ({"agent": "another"}, False),
        ({"user": "alice"}, True),
        ({"user": "carol"}, False),
        ({"organisation": "demo"}, True),
        ({"organisation": "other"}, False),
        ({"tool": "probe_read", "agent": "another"}, False),
        ({"is_on": False}, False),
    ],
)
def test_a_quota_counts_what_all_its_scopes_name(
    call: Caller, carol: User, scopes: dict[str, Any], counted: bool
) -> None:
    found = {"user": User.objects, "organisation": Organisation.objects}
    key = {"user": "username", "organisation": "code"}
    rows = {
        name: found[name].get(**{key[name]: value}) if name in found else value
        for name, value in scopes.items()
    }
    quota(0, **rows)
    assert call("probe_read", text="x").ok is not counted


@pytest.mark.req("TOOL-21")
def test_all_quotas_that_cover_a_call_must_have_room(call: Caller) -> None:
    quota(1, tool="probe_ping")
    wide = quota(9)
    assert call("probe_ping").ok
    assert not call("probe_ping").ok
    assert QuotaUse.objects.get(quota=wide).used == 1
    assert call("probe_read", text="x").ok


@pytest.mark.req("TOOL-21")
@pytest.mark.parametrize(("each_user", "second"), [(True, True), (False, False)])
def test_users_are_counted_apart_or_together(
    call: Caller, bob: User, each_user: bool, second: bool
) -> None:
    quota(1, each_user=each_user)
    assert call("probe_read", text="x").ok
    call.session = replace(call.session, actor=Actor.of(bob))
    assert call("probe_read", text="x").ok is second


@pytest.mark.req("TOOL-10", "TOOL-21")
def test_a_call_refused_later_gives_its_unit_back(call: Caller) -> None:
    quota(1)
    assert call("probe_guarded", text="x").error == "权限不足"
    assert "人工确认" in call("probe_destroy", text="x").error
    assert used() == 0
    assert call("probe_read", text="x").ok


@pytest.mark.req("TOOL-10", "TOOL-21")
def test_the_quota_speaks_before_the_policy(call: Caller) -> None:
    quota(0)
    assert "调用次数" in call("probe_guarded", text="x").error


@pytest.mark.req("TOOL-21")
def test_a_call_made_again_is_charged_once(call: Caller) -> None:
    quota(5)
    made = call_of("probe_read", text="x")
    assert call.make(made) == call.make(made)
    assert used() == 1


@pytest.mark.req("TOOL-21")
def test_no_overshoot_under_a_hundred_calls_at_once(session: ToolSession) -> None:
    quota(37)

    async def run() -> list[bool]:
        async with toolbox_of(session) as toolbox:
            calls = (call_of("probe_read", text=str(number)) for number in range(MANY))
            told = await asyncio.gather(*(answer(toolbox, c, i) for i, c in enumerate(calls)))
            return [each.ok for each in told]

    assert asyncio.run(run()) == [True] * 37 + [False] * 63
    assert used() == 37


def test_windows_long_over_are_forgotten(call: Caller) -> None:
    row = quota(5, window_s=60)
    assert call("probe_read", text="x").ok
    now = int(clock.now().timestamp())
    for start in (now - DAY - 59, now - DAY - 61):
        QuotaUse.objects.create(quota=row, subject=0, window_start=start, used=1)
    forget_quota_windows()
    assert QuotaUse.objects.count() == 2
    assert not QuotaUse.objects.filter(window_start=now - DAY - 61).exists()


def test_a_quota_that_was_deleted_stops_nobody(session: ToolSession) -> None:
    """The writer still knows it, for a second."""
    wide = quota(10)

    async def run() -> list[bool]:
        async with toolbox_of(session) as toolbox:
            first = await answer(toolbox, call_of("probe_ping"))
            await bridge.call(wide.delete)
            return [first.ok, (await answer(toolbox, call_of("probe_ping"), 1)).ok]

    assert asyncio.run(run()) == [True, True]


@pytest.mark.req("TOOL-21")
@pytest.mark.fault
def test_no_overshoot_from_two_processes(session: ToolSession) -> None:
    both, wide = quota(37, each_user=False), quota(150, tool="probe_ping")
    command = [sys.executable, "-m", "tests.tools.child", str(session.actor.user_id), str(MANY)]
    settings = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings"}
    children = [
        subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, **settings}, stdout=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    told = [json.loads(child.communicate(timeout=120)[0]) for child in children]
    assert sum(each["granted"] for each in told) == 37
    assert sum(each["answered"] for each in told) == 2 * MANY
    assert QuotaUse.objects.get(quota=both).used == QuotaUse.objects.get(quota=wide).used == 37
    assert ToolRun.objects.filter(status="refused").count() == 2 * MANY - 37


def database_url() -> str:
    """Of the tests' own database, for another process."""
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
