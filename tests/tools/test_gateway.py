"""One governed call, from audit.before to its answer."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from prometheus_client import REGISTRY

from apps.accounts.models import Organisation
from apps.audit.models import AuditEntry, SecurityEvent
from apps.lib.writer.job import WriteRefusedError
from apps.runtime.errors import ToolboxError
from apps.runtime.events import ToolCompleted, ToolStarted, UiForm
from apps.runtime.steps import Place
from apps.tools.models import ToolRun
from apps.tools.registry import UiEffect
from apps.tools.session import EffectTarget, ToolSession
from apps.tools.wiring import build_toolbox
from tests.tools.conftest import Caller, call_of
from tests.tools.services import ProbeTools, Unordinary, forbids, raises, refuses

pytestmark = pytest.mark.django_db(transaction=True)


def metric(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0.0


def rows() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("id").values_list("phase", "outcome"))


@pytest.mark.req("TOOL-10", "TOOL-13")
@pytest.mark.source("T5")
def test_t05_a_call_writes_both_audit_halves(call: Caller) -> None:
    answer = call("probe_read", text="hi")
    entries = list(AuditEntry.objects.order_by("id"))
    run = ToolRun.objects.get()
    assert (answer.ok, run.status, run.ok) == (True, "succeeded", True)
    assert [entry.phase for entry in entries] == ["before", "after"]
    for entry in entries:
        assert entry.audit_id == run.audit_id
        assert (entry.username, entry.agent, entry.tool) == ("alice", "test-agent", "probe_read")
        assert (entry.tool_call_id, entry.surface) == (run.tool_call_id, "chat")
        assert entry.trace_id == call.session.trace_id
    assert [type(event) for event in call.events] == [ToolStarted, ToolCompleted]


@pytest.mark.req("TOOL-11")
@pytest.mark.parametrize("tool", ["probe_read", "probe_write"])
def test_no_audit_row_means_no_call(session: ToolSession, tool: str) -> None:
    async def full(unit: Any) -> Any:
        raise WriteRefusedError("full")

    async def make() -> None:
        toolbox = build_toolbox(session, full)
        async for _ in toolbox.call(call_of(tool, text="x"), Place(0, 0)):
            pass

    with pytest.raises(ToolboxError):
        asyncio.run(make())
    assert ProbeTools.calls == []


@pytest.mark.req("TOOL-14")
@pytest.mark.source("T6")
def test_t06_a_business_error_is_told_sanitised(call: Caller) -> None:
    ProbeTools.body = refuses
    answer = call("probe_write", text="x")
    assert not answer.ok
    assert "王芳" in answer.error
    assert "li.wei@example.com" not in answer.content + answer.error
    assert ToolRun.objects.get().status == "failed"
    assert not Organisation.objects.filter(code="x").exists()


@pytest.mark.req("TOOL-15")
@pytest.mark.source("T7")
def test_t07_a_permission_error_hides_its_detail(call: Caller) -> None:
    ProbeTools.body = forbids
    answer = call("probe_read", text="x")
    event = SecurityEvent.objects.get()
    assert answer.error == "权限不足"
    assert "secret_table" not in answer.content
    assert (event.kind, "secret_table" in event.detail) == ("refused", True)
    assert ToolRun.objects.get().status == "refused"


@pytest.mark.req("TOOL-15")
def test_a_missing_right_refuses_before_the_body(call: Caller) -> None:
    answer = call("probe_guarded", text="x")
    assert answer.error == "权限不足"
    assert ProbeTools.calls == []


@pytest.mark.req("TOOL-16")
@pytest.mark.source("T8")
def test_t08_a_system_error_ends_at_the_edge(call: Caller) -> None:
    before = metric("agent_tool_system_error_total", tool="probe_read")
    ProbeTools.body = raises(ConnectionError("connection refused to 10.0.0.1"))
    with pytest.raises(ToolboxError) as caught:
        call("probe_read", text="x")
    run, event = ToolRun.objects.get(), SecurityEvent.objects.get()
    assert run.audit_id in str(caught.value)
    assert run.audit_id in run.error_message
    assert "10.0.0.1" not in run.content + run.error_message + str(caught.value)
    assert (event.kind, event.audit_id) == ("system_error", run.audit_id)
    assert "connection refused" in event.detail
    assert metric("agent_tool_system_error_total", tool="probe_read") == before + 1
    assert [outcome for _, outcome in rows()] == ["", "system_error"]


@pytest.mark.req("TOOL-16")
@pytest.mark.source("T18")
@pytest.mark.parametrize(
    "error",
    [Unordinary("odd"), SystemExit(1), KeyboardInterrupt(), StopIteration("s"), GeneratorExit()],
    ids=lambda error: type(error).__name__,
)
def test_t18_no_ordinary_exception_is_a_system_error(call: Caller, error: BaseException) -> None:
    ProbeTools.body = raises(error)
    with pytest.raises(ToolboxError):
        call("probe_read", text="x")
    assert SecurityEvent.objects.get().kind == "system_error"
    assert ToolRun.objects.get().status == "failed"


@pytest.mark.req("TOOL-13")
@pytest.mark.source("T19")
@pytest.mark.parametrize("body", [refuses, forbids, dict], ids=["tier1", "tier2", "success"])
def test_t19_the_audit_chain_closes(call: Caller, body: Any) -> None:
    ProbeTools.body = body
    call("probe_read", text="x")
    phases = [phase for phase, _ in rows()]
    assert phases == ["before", "after"]


@pytest.mark.req("TOOL-10")
def test_a_form_follows_the_answer(call: Caller) -> None:
    call("probe_form", text="x")
    started, completed, form = call.events
    assert isinstance(started, ToolStarted)
    assert isinstance(completed, ToolCompleted)
    assert isinstance(form, UiForm)
    assert form.form == {"a": 1, "id": completed.call.id}


def test_a_form_nobody_records_undoes_the_call(call: Caller) -> None:
    def nobody(target: EffectTarget, effect: UiEffect) -> Mapping[str, Any]:
        raise LookupError(effect.kind)

    call.session = replace(call.session, record_effect=nobody)
    with pytest.raises(ToolboxError):
        call("probe_form", text="x")
    assert ToolRun.objects.get().status == "failed"


@pytest.mark.req("TOOL-9", "TOOL-25")
@pytest.mark.source("T12")
def test_t12_the_method_gets_six_immutable_fields(call: Caller) -> None:
    call("probe_read", text="x")
    (_, ctx), session = ProbeTools.calls[0], call.session
    assert set(ctx.__slots__) == {
        "user_id", "organization_id", "surface", "session_id", "turn_id", "trace",
    }  # fmt: skip
    assert (ctx.user_id, ctx.organization_id) == (
        session.actor.user_id,
        session.actor.organisation_id,
    )
    assert (ctx.surface, ctx.session_id, ctx.turn_id) == (
        "chat",
        session.conversation_id,
        session.run_id,
    )
    assert ctx.trace.trace_id == session.trace_id
    with pytest.raises(AttributeError):
        ctx.user_id = 2  # type: ignore[misc]


@pytest.mark.req("TOOL-10")
@pytest.mark.case("TOOL-010")
def test_an_unknown_name_is_told_the_others(call: Caller) -> None:
    answer = call("get_wether", city="X")
    assert not answer.ok
    assert "probe_read" in answer.error
    assert "probe_guarded" not in answer.error
    assert [outcome for _, outcome in rows()] == ["", "refused"]


@pytest.mark.case("TXT-003")
def test_nul_in_a_result_is_replaced(call: Caller) -> None:
    ProbeTools.body = lambda: {"a": "a\x00b", "deep": [{"k": "\ud83d!"}]}
    answer = call("probe_read", text="n\x00l")
    assert answer.result == {"a": "a\ufffdb", "deep": [{"k": "\ufffd!"}]}
    run = ToolRun.objects.get()
    assert "\x00" not in run.result + run.arguments
    ProbeTools.body = raises(ValueError("x\x00"))
    with pytest.raises(ToolboxError):
        call.make(call_of("probe_read", text="x"))


@pytest.mark.case("TXT-006")
def test_escaped_and_plain_text_are_one(call: Caller) -> None:
    for text in ('{"text":"\\u5f20\\u4f1f"}', '{"text":"张伟"}'):
        call("probe_read", **json.loads(text))
    stored = set(ToolRun.objects.values_list("arguments", flat=True))
    assert stored == {'{"text":"张伟"}'}


@pytest.mark.req("TOOL-17")
def test_a_secret_in_the_arguments_is_not_audited(call: Caller) -> None:
    call("probe_read", text="token=abcdefghij0123456789ABCDEF")
    before = AuditEntry.objects.get(phase="before")
    assert json.loads(before.body)["arguments"] == {"text": "token=[REDACTED]"}
