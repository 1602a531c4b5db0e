"""Calls that the gateway did not end itself."""

import pytest

from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.lib.ids import new_id
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools.models import ToolRun
from apps.tools.rows import before_entry, planned_run
from apps.tools.services.listing import tool_runs_of
from apps.tools.session import ToolSession
from apps.tools.wiring import answers_of, close_open_calls, settle_call
from tests.tools.conftest import Caller, call_of, write_after

pytestmark = pytest.mark.django_db(transaction=True)
WHY = ToolAnswer(ok=False, content="cut off", error="cut off")


def opened(session: ToolSession, status: str, index: int = 0, kind: str = "local") -> ToolCall:
    """A call left as a crash would leave it."""
    call, audit_id, place = call_of("probe_write", text="x"), new_id(), Place(0, index)
    run = planned_run(session, call, place, audit_id)
    run.status, run.kind = status, kind
    run.save()
    chain.append([before_entry(session, call, place, audit_id)])
    return call


def status_of(call: ToolCall) -> str:
    return ToolRun.objects.get(tool_call_id=call.id).status


def test_a_call_never_opened_gets_its_rows(session: ToolSession) -> None:
    call = call_of("probe_write", text="x")
    answer = settle_call(session, call, Place(0, 9), WHY)
    assert (answer.ok, answer.error) == (False, "cut off")
    assert status_of(call) == "not_executed"
    assert write_after() == 1
    assert set(AuditEntry.objects.values_list("phase", "outcome")) == {
        ("before", ""),
        ("after", "not_executed"),
    }


@pytest.mark.parametrize(
    ("status", "kind", "end"),
    [
        ("planned", "local", "not_executed"),
        ("started", "local", "not_executed"),
        ("planned", "mcp", "not_executed"),
        ("started", "mcp", "unknown"),
    ],
)
@pytest.mark.req("TOOL-13")
def test_a_dead_run_closes_its_calls(
    session: ToolSession, status: str, kind: str, end: str
) -> None:
    call = opened(session, status, kind=kind)
    assert close_open_calls(session.run_id, "lease ran out") == 1
    assert status_of(call) == end
    assert write_after() == 1
    assert AuditEntry.objects.get(phase="after").outcome == end
    assert close_open_calls(session.run_id, "lease ran out") == 0


def test_answers_are_what_the_model_was_told(call: Caller) -> None:
    told = call("probe_read", text="x")
    opened(call.session, "started", index=5)
    assert list(answers_of([call.session.run_id]).values()) == [told]
    assert answers_of(["no-such-run"]) == {}


def test_the_history_shows_runs_in_order(call: Caller) -> None:
    call("probe_read", text="first")
    call("no_such_tool")
    message_id = call.session.message_id
    first, second = tool_runs_of([message_id])[message_id]
    assert set(first) == {
        "toolCallId", "name", "arguments", "status", "ok", "result", "errorMessage", "durationMs",
    }  # fmt: skip
    assert (first["status"], first["ok"], first["arguments"]) == (
        "succeeded",
        True,
        {"text": "first"},
    )
    assert (second["status"], second["ok"], second["result"]) == ("refused", False, None)
    assert second["errorMessage"]
