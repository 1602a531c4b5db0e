"""One trace id, from the call to everything that it sets in motion."""

import io
import logging
import re

import pytest
import structlog
from celery import shared_task
from prometheus_client import REGISTRY

from apps.audit.models import AuditEntry, SecurityEvent
from apps.lib import metrics, trace, traced_task
from apps.tools.models import ToolRun
from config.celery import app
from config.logs import configuration
from tests.tools.conftest import Caller
from tests.tools.services import ProbeTools, forbids

TRACE = "ab" * 16
logger = logging.getLogger(__name__)


@shared_task(name="tests.traced")
def traced() -> str:
    return trace.current()


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("TOOL-25")
def test_rows_of_every_kind_carry_it(call: Caller) -> None:
    ProbeTools.body = forbids
    call("probe_read", text="x")
    for model in (AuditEntry, SecurityEvent, ToolRun):
        found = set(model._default_manager.values_list("trace_id", flat=True))
        assert found == {call.session.trace_id}


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("TOOL-25")
@pytest.mark.source("T17")
def test_t17_audit_and_log_carry_one_trace(call: Caller) -> None:
    lines = io.StringIO()
    handler = logging.StreamHandler(lines)
    handler.setFormatter(configuration(as_json=True)["formatters"]["lines"]["()"](as_json=True))
    logger.addHandler(handler)

    def body() -> dict[str, str]:
        logger.warning("from inside")
        return trace.headers()

    ProbeTools.body = body
    try:
        answer = call("probe_read", text="x")
    finally:
        logger.removeHandler(handler)
    assert f'"trace_id": "{call.session.trace_id}"' in lines.getvalue()
    traces = list(AuditEntry.objects.values_list("phase", "trace_id").order_by("id"))
    assert traces == [("before", call.session.trace_id), ("after", call.session.trace_id)]
    assert answer.result is not None
    assert trace.trace_id_of(answer.result["traceparent"]) == call.session.trace_id


@pytest.mark.django_db(transaction=True)
@pytest.mark.req("TOOL-25")
def test_metrics_show_it_as_an_exemplar(call: Caller) -> None:
    call("probe_read", text="x")
    text, content_type = metrics.exposition("application/openmetrics-text")
    found = re.findall(
        r'agent_tool_seconds_bucket.*"probe_read".*# \{trace_id="(\w+)"\}', text.decode()
    )
    assert set(found) == {call.session.trace_id}
    assert "openmetrics" in content_type
    plain, content_type = metrics.exposition("")
    assert b"trace_id=" not in plain
    assert content_type.startswith("text/plain")
    assert REGISTRY.get_sample_value("agent_tool_seconds_count", {"tool": "probe_read"})


@pytest.mark.req("TOOL-25")
def test_a_task_takes_it_along() -> None:
    assert isinstance(traced, traced_task.TracedTask)
    with structlog.contextvars.bound_contextvars(trace_id=TRACE):
        traced.apply_async(queue="tests-traced")
    with app.connection_for_read() as broker:
        queue = broker.SimpleQueue("tests-traced")
        message = queue.get(timeout=5)
        message.ack()
        queue.close()
    assert trace.trace_id_of(message.headers["traceparent"]) == TRACE


@pytest.mark.req("TOOL-25")
def test_a_worker_logs_under_it() -> None:
    assert traced.apply(headers=trace.headers(TRACE)).get() == TRACE
    assert trace.current() == ""
    assert re.fullmatch(r"[0-9a-f]{32}", traced.apply().get())


@pytest.mark.req("TOOL-25")
def test_nothing_to_take_along_is_no_header() -> None:
    assert trace.headers() == {}
