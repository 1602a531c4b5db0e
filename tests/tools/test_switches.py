"""Operational switches: off means off, over every snapshot and every running run."""

import asyncio
import threading
import time
from dataclasses import replace
from typing import Any

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import ConfigAuditLog, SecurityEvent
from apps.lib import bridge
from apps.lib.problem import RefusedError
from apps.tools import definitions
from apps.tools.models import Switch
from apps.tools.services.switches import off, switch_off, switch_on
from apps.tools.session import ToolSession
from apps.tools.wiring import tool_specs
from tests import factories
from tests.tools.calling import answer, toolbox_of
from tests.tools.conftest import Caller, call_of
from tests.tools.services import ProbeTools

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "it deletes too much"


@pytest.fixture
def chief(operator: User) -> Actor:
    operator.user_permissions.add(factories.permission_named("tools.change_switch"))
    return Actor.of(operator)


def refused(**arguments: Any) -> tuple[int, str]:
    with pytest.raises(RefusedError) as caught:
        switch_off(**arguments)
    problem = caught.value.problem
    return problem.status, problem.code


@pytest.mark.req("TOOL-27")
@pytest.mark.parametrize("kind", ["tool", "agent", "user"])
def test_what_is_off_is_hidden_and_refused(call: Caller, chief: Actor, kind: str) -> None:
    key = {"tool": "probe_read", "agent": "test-agent", "user": str(call.session.actor.user_id)}
    switch_off(actor=chief, kind="tool", key="probe_write", reason=WHY)
    Switch.objects.update(kind=kind, key=key[kind])
    assert "probe_read" not in {spec.name for spec in tool_specs(call.session)}
    told = call("probe_read", text="x")
    assert "停用" in told.error
    assert WHY not in told.content
    assert (ProbeTools.calls, WHY in SecurityEvent.objects.get().detail) == ([], True)
    switch = Switch.objects.get()
    switch.is_off = False
    switch.save()
    assert call("probe_read", text="x").ok


@pytest.mark.req("TOOL-27")
@pytest.mark.parametrize(
    ("kind", "key", "tool"),
    [
        ("mcp_server", "files", {"kind": "mcp", "app": "files"}),
        ("skill", "cleaning", {"skill": "cleaning"}),
    ],
)
def test_servers_and_skills_take_their_tools_along(
    call: Caller, chief: Actor, kind: str, key: str, tool: dict[str, Any]
) -> None:
    found = next(each for each in call.session.tools if each.name == "probe_read")
    call.session = replace(call.session, tools=(replace(found, **tool),))
    assert {spec.name for spec in tool_specs(call.session)} == {"probe_read"}
    switch_off(actor=chief, kind=kind, key=key, reason=WHY)
    assert tool_specs(call.session) == ()
    assert "停用" in call("probe_read", text="x").error


@pytest.mark.req("TOOL-27")
def test_another_object_stays_on(call: Caller, chief: Actor) -> None:
    switch_off(actor=chief, kind="tool", key="probe_write", reason=WHY)
    switch_off(actor=chief, kind="skill", key="probe_read", reason=WHY)
    assert call("probe_read", text="x").ok


@pytest.mark.req("TOOL-27")
def test_a_running_process_sees_it_within_two_seconds(session: ToolSession, chief: Actor) -> None:
    """The writer has read the switches before: it must read them again by itself."""

    async def run() -> float:
        async with toolbox_of(session) as toolbox:
            assert (await answer(toolbox, call_of("probe_ping"))).ok
            await bridge.call(
                lambda: switch_off(actor=chief, kind="tool", key="probe_ping", reason=WHY)
            )
            began = time.monotonic()
            for index in range(1, 60):
                if not (await answer(toolbox, call_of("probe_ping"), index)).ok:
                    break
                await asyncio.sleep(0.05)
            return time.monotonic() - began

    assert asyncio.run(run()) < 2


def test_switches_are_read_once_a_second(session: ToolSession) -> None:
    read, times = definitions.read, []

    def counting() -> Any:
        times.append(threading.current_thread().name)
        return read()

    async def run() -> None:
        async with toolbox_of(session) as toolbox:
            for index in range(20):
                await answer(toolbox, call_of("probe_ping"), index)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(definitions, "read", counting)
        patch.setattr(definitions, "SECONDS", 3600)
        asyncio.run(run())
    assert times == ["writer"]


@pytest.mark.req("TOOL-27")
def test_a_switch_leaves_its_reason_in_the_log(chief: Actor) -> None:
    switch_off(actor=chief, kind="tool", key="probe_read", reason=f" {WHY} ")
    found = off("tool", "probe_read")
    assert found is not None
    assert (found.reason, found.changed_by) == (WHY, "operator")
    switch_on(actor=chief, kind="tool", key="probe_read", reason="mended")
    assert off("tool", "probe_read") is None
    rows = ConfigAuditLog.objects.order_by("position")
    assert list(rows.values_list("action", "object_kind", "object_key", "reason", "username")) == [
        ("switch_off", "tool", "probe_read", WHY, "operator"),
        ("switch_on", "tool", "probe_read", "mended", "operator"),
    ]


@pytest.mark.req("TOOL-27")
def test_a_switch_turns_once(chief: Actor) -> None:
    order: dict[str, Any] = {"actor": chief, "kind": "tool", "key": "probe_read", "reason": WHY}
    switch_off(**order)
    assert refused(**order) == (409, "state_conflict")
    assert ConfigAuditLog.objects.count() == 1
    switch_on(**order)
    with pytest.raises(RefusedError):
        switch_on(**order)


@pytest.mark.req("TOOL-27")
def test_only_who_may_and_says_why_switches(chief: Actor, alice: User, carol: User) -> None:
    order: dict[str, Any] = {"actor": chief, "kind": "tool", "key": "x", "reason": WHY}
    assert refused(**order | {"actor": Actor.of(alice)}) == (403, "permission_denied")
    assert refused(**order | {"reason": "  "}) == (400, "validation")
    assert refused(**order | {"kind": "moon"}) == (400, "validation")
    assert refused(**order | {"kind": "user", "key": str(carol.pk)}) == (404, "not_found")
    assert not Switch.objects.exists()
    switch_off(**order | {"kind": "user", "key": str(alice.pk)})
