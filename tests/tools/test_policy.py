"""Who may call what, under which mode; one function for the list and the call."""

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from prometheus_client import REGISTRY

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import Alert, AuditEntry, SecurityEvent
from apps.runtime.steps import Place
from apps.tools import deciding
from apps.tools.models import ToolRun
from apps.tools.registry import catalogue
from apps.tools.registry.descriptor import Availability, ToolDescriptor
from apps.tools.session import ToolSession
from apps.tools.wiring import tool_specs
from tests.tools.conftest import Caller, call_of
from tests.tools.services import ProbeTools, UntellableError

pytestmark = pytest.mark.django_db(transaction=True)
DISGUISES = ["cm0gLXJmIC8=", "  DeLeTe   ", "删除全部", "harmless"]


def names(session: ToolSession) -> set[str]:
    return {spec.name for spec in tool_specs(session)}


def outcome() -> str:
    return AuditEntry.objects.get(phase="after").outcome


@pytest.mark.req("TOOL-18")
@pytest.mark.source("T10")
@pytest.mark.case("TOOL-019")
@pytest.mark.parametrize("text", DISGUISES)
def test_t10_read_only_hides_and_refuses_what_destroys(call: Caller, text: str) -> None:
    call.session = replace(call.session, permission_mode="READ_ONLY")
    assert "probe_destroy" not in names(call.session)
    answer = call("probe_destroy", text=text)
    assert (answer.ok, answer.error) == (False, "权限不足")
    assert (outcome(), ProbeTools.calls) == ("refused", [])
    assert "READ_ONLY" in SecurityEvent.objects.get().detail


@pytest.mark.req("TOOL-19")
@pytest.mark.source("T11")
def test_t11_a_required_plan_hides_and_refuses_writes(call: Caller) -> None:
    call.session = replace(call.session, plan_mode="REQUIRED")
    assert {"probe_write", "probe_destroy"}.isdisjoint(names(call.session))
    assert "probe_read" in names(call.session)
    answer = call("probe_write", text="x")
    assert (answer.error, outcome(), ProbeTools.calls) == ("权限不足", "refused", [])


@pytest.mark.case("TOOL-019")
@pytest.mark.parametrize("text", DISGUISES)
def test_nobody_to_ask_means_no_destroying(call: Caller, text: str) -> None:
    answer = call("probe_destroy", text=text)
    assert "人工确认" in answer.error
    assert (outcome(), ProbeTools.calls) == ("refused", [])


def test_confirm_all_refuses_even_reading(call: Caller) -> None:
    call.session = replace(call.session, permission_mode="CONFIRM_ALL")
    assert "人工确认" in call("probe_read", text="x").error
    assert ProbeTools.calls == []


@pytest.mark.case("TOOL-017")
def test_what_no_rule_mentions_is_refused(call: Caller) -> None:
    reading = tuple(tool for tool in call.session.tools if tool.name == "probe_read")
    call.session = replace(call.session, tools=reading)
    answer = call("probe_write", text="x")
    assert (answer.ok, ProbeTools.calls) == (False, [])
    assert "no matching rule" in SecurityEvent.objects.get().detail
    assert "probe_read" in answer.error


@pytest.mark.case("TOOL-018")
def test_an_unreadable_policy_is_not_no_policy(call: Caller) -> None:
    assert call("probe_read", text="plain").ok
    call.session = replace(call.session, permission_mode="{broken")
    answer = call("probe_read", text="x")
    assert not answer.ok
    assert "policy unreadable" in SecurityEvent.objects.get().detail
    assert len(ProbeTools.calls) == 1
    assert names(call.session) == set()
    alert = Alert.objects.get()
    assert (alert.cause, alert.severity) == ("policy_unreadable", "critical")
    assert (alert.object_kind, alert.object_key) == ("agent", "test-agent")


def _raises(*_: Any) -> Any:
    raise ConnectionError("the policy service is down")


def _raises_oddly(*_: Any) -> Any:
    raise UntellableError


def _sleeps(*_: Any) -> Any:
    time.sleep(0.1)
    return catalogue.get("probe_destroy")


def _babbles(*_: Any) -> Any:
    return "yes"


def _mistakes(*_: Any) -> Any:
    return catalogue.get("probe_read")


@pytest.mark.req("TOOL-10")
@pytest.mark.case("TOOL-016")
@pytest.mark.parametrize("policy", [_raises, _raises_oddly, _sleeps, _babbles, _mistakes])
def test_a_policy_that_fails_refuses(
    call: Caller, policy: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deciding, "decide", policy)
    monkeypatch.setattr(deciding, "PATIENCE_S", 0.05)
    labels = {"tool": "refused", "outcome": "refused"}
    before = REGISTRY.get_sample_value("agent_tool_calls_total", labels) or 0
    answer = call("probe_destroy", text="x")
    assert not answer.ok
    assert "无法读取调用策略" in answer.error
    assert (outcome(), ProbeTools.calls) == ("refused", [])
    assert ToolRun.objects.get().status == "refused"
    assert "policy unreadable" in SecurityEvent.objects.get().detail
    assert REGISTRY.get_sample_value("agent_tool_calls_total", labels) == before + 1


@pytest.mark.req("TOOL-10")
@pytest.mark.case("TOOL-016")
def test_facts_that_the_database_does_not_give_refuse(
    call: Caller, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> Any:
        with connection.cursor() as cursor:
            cursor.execute("SELECT * FROM no_such_table")

    monkeypatch.setattr(deciding, "current", broken)
    assert "无法读取调用策略" in call("probe_read", text="x").error
    assert (outcome(), ProbeTools.calls) == ("refused", [])
    assert "no_such_table" in SecurityEvent.objects.get().detail


def limited(**availability: Any) -> ToolDescriptor:
    found = catalogue.get("probe_read")
    assert found is not None
    return replace(found, availability=Availability(**availability))


@pytest.mark.req("TOOL-20")
@pytest.mark.parametrize(
    ("surface", "availability", "shown"),
    [
        ("chat", {"surfaces": ("chat",)}, True),
        ("a2a", {"surfaces": ("chat",)}, False),
        ("chat", {"capabilities": ("forms",)}, True),
        ("task", {"capabilities": ("forms",)}, False),
        ("chat", {"permissions": ("students.add_student",)}, True),
        ("chat", {"permissions": ("students.delete_student",)}, False),
        ("fax", {}, False),
    ],
)
def test_availability_decides_list_and_call(
    call: Caller, surface: str, availability: dict[str, Any], shown: bool
) -> None:
    call.session = replace(call.session, surface=surface, tools=(limited(**availability),))
    assert (names(call.session) == {"probe_read"}) is shown
    assert call("probe_read", text="x").ok is shown


@pytest.mark.req("TOOL-20")
def test_rights_are_asked_at_each_call(call: Caller, alice: User) -> None:
    create = catalogue.get("create_student")
    assert create is not None
    call.session = replace(call.session, tools=(create,))
    assert call("create_student", name="王芳").ok
    alice.user_permissions.clear()
    assert call("create_student", name="王芳").error == "权限不足"


def test_a_disabled_account_may_nothing(alice: User, call: Caller) -> None:
    create = catalogue.get("create_student")
    assert create is not None
    User.objects.filter(pk=alice.pk).update(is_active=False)
    session = replace(call.session, actor=Actor.of(alice), tools=(create,))
    assert tool_specs(session) == ()


def test_an_unknown_tool_keeps_its_place(call: Caller) -> None:
    call.make(call_of("no_such"), Place(3, 2))
    run = ToolRun.objects.get()
    assert (run.name, run.step, run.index, run.status) == ("no_such", 3, 2, "refused")


@pytest.mark.req("TOOL-20")
def test_a_disabled_account_may_not_even_read(alice: User, call: Caller) -> None:
    User.objects.filter(pk=alice.pk).update(is_active=False)
    assert call("probe_read", text="x").error == "权限不足"
    assert (names(call.session), ProbeTools.calls) == (set(), [])
