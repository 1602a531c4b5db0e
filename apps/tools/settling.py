"""Ends of calls from outside the gateway: the run was stopped, broke off, or lost its host."""

from functools import partial

from django.db import IntegrityError, transaction

from apps.audit import chain
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools import handover, records
from apps.tools.endings import LIVE
from apps.tools.models import ToolRun
from apps.tools.outcome import Failure, Status
from apps.tools.rows import before_entry, new_audit_id, planned_run
from apps.tools.session import ToolSession


def settle_call(
    session: ToolSession, call: ToolCall, place: Place, answer: ToolAnswer
) -> ToolAnswer:
    """Record `answer` for a call that has none; the answer that stands.

    A call that never began is not_executed, one that runs is cancelled: whatever it still does is
    rolled back with its outcome.
    """
    if not ToolRun.objects.filter(tool_call_id=call.id).exists():
        _register(session, call, place)
    text = answer.error or answer.content
    _end_from(call.id, ToolRun.Status.PLANNED, "not_executed", text)
    _end_from(call.id, ToolRun.Status.STARTED, "cancelled", text)
    return records.answers([call.id])[call.id]


def close_open_calls(run_id: str, reason: str) -> int:
    """End what a dead run left open; how many calls that were.

    A local call's effect commits with its outcome, so an open one has had none; an outside call
    that had started may have had one: unknown.
    """
    rows = ToolRun.objects.filter(run_id=run_id, status__in=LIVE)
    return sum(close_call(row, reason) for row in rows)


def close_call(row: ToolRun, reason: str) -> bool:
    """One of them, by its state as read; False when that has changed since."""
    outside = row.kind != ToolRun.Kind.LOCAL
    started = row.status == ToolRun.Status.STARTED
    end: Status = "unknown" if outside and started else "not_executed"
    return _end_from(row.tool_call_id, row.status, end, reason)


def _register(session: ToolSession, call: ToolCall, place: Place) -> None:
    """A call that the gateway never saw gets its rows too; who came first keeps his."""
    audit_id = new_audit_id()
    try:
        with transaction.atomic():
            planned_run(session, call, place, audit_id).save()
            chain.append([before_entry(session, call, place, audit_id)])
    except IntegrityError:
        if not ToolRun.objects.filter(tool_call_id=call.id).exists():
            raise


def _end_from(tool_call_id: str, state: str, end: Status, text: str) -> bool:
    failure = Failure(status=end, outcome=end, text=text)
    ended = records.fail(tool_call_id, failure, 0, states=(state,))
    if ended:
        audit_id = ToolRun.objects.values_list("audit_id", flat=True).get(tool_call_id=tool_call_id)
        transaction.on_commit(partial(handover.put, audit_id))
    return ended
