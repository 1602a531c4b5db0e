"""The rows of one call, made from what is known of it; nothing is written here."""

from apps.audit.models import AuditEntry, SecurityEvent
from apps.audit.sanitizer import redact_secrets
from apps.lib import clock
from apps.lib.ids import new_id
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.runtime.text import clean_text
from apps.tools.bodies import after_body, arguments_text, before_body
from apps.tools.models import ToolRun
from apps.tools.policy import tool_named
from apps.tools.session import ToolSession

DETAIL_LIMIT = 4_000


def planned_run(session: ToolSession, call: ToolCall, place: Place, audit_id: str) -> ToolRun:
    """The call as it is registered before anything else happens."""
    return ToolRun(
        tool_call_id=call.id,
        run_id=session.run_id,
        conversation_id=session.conversation_id,
        message_id=session.message_id,
        step=place.step,
        index=place.index,
        name=clean_text(call.name)[:128],
        kind=_kind(session, call),
        status=ToolRun.Status.PLANNED,
        arguments=arguments_text(call),
        audit_id=audit_id,
        user_id=session.actor.user_id,
        organisation_id=session.actor.organisation_id,
        agent=session.agent_code,
        trace_id=session.trace_id,
        created_at=clock.now(),
    )


def opened_run(session: ToolSession, call: ToolCall, place: Place, audit_id: str) -> ToolRun:
    """The same, for a call whose tool runs at once if it is allowed.

    A local tool that writes is started together with its effect, a remote one by who sends it.
    """
    run = planned_run(session, call, place, audit_id)
    tool = tool_named(call.name, session.tools)
    if tool is not None and tool.kind == "local" and not tool.writes:
        run.status, run.started_at = ToolRun.Status.STARTED, run.created_at
    return run


def before_entry(session: ToolSession, call: ToolCall, place: Place, audit_id: str) -> AuditEntry:
    """The audit row without which no call happens."""
    return AuditEntry(
        audit_id=audit_id,
        phase=AuditEntry.Phase.BEFORE,
        at=clock.now(),
        user_id=session.actor.user_id,
        username=session.actor.username,
        organisation_id=session.actor.organisation_id,
        agent=session.agent_code,
        tool=clean_text(call.name)[:128],
        run_id=session.run_id,
        tool_call_id=call.id,
        surface=session.surface,
        trace_id=session.trace_id,
        body=before_body(call, place, _kind(session, call)),
    )


def after_entry(run: ToolRun, before: AuditEntry, outcome: str) -> AuditEntry:
    """The other half of `before`, from the run as it ended."""
    body = after_body(
        outcome=outcome,
        ok=bool(run.ok),
        error=run.error_message,
        result=run.result,
        duration_ms=run.duration_ms,
    )
    return AuditEntry(
        audit_id=before.audit_id,
        phase=AuditEntry.Phase.AFTER,
        at=clock.now(),
        user_id=before.user_id,
        username=before.username,
        organisation_id=before.organisation_id,
        agent=before.agent,
        tool=before.tool,
        run_id=before.run_id,
        tool_call_id=before.tool_call_id,
        surface=before.surface,
        trace_id=before.trace_id,
        outcome=outcome,
        body=body,
    )


def security_event(
    session: ToolSession, tool: str, audit_id: str, kind: str, detail: str
) -> SecurityEvent:
    """What the fixed text of an answer hides; but keys and passwords stand nowhere."""
    return SecurityEvent(
        kind=kind,
        at=clock.now(),
        audit_id=audit_id,
        user_id=session.actor.user_id,
        username=session.actor.username,
        organisation_id=session.actor.organisation_id,
        tool=clean_text(tool)[:128],
        trace_id=session.trace_id,
        detail=redact_secrets(clean_text(detail)[:DETAIL_LIMIT]),
    )


def new_audit_id() -> str:
    """Ties both halves of a call, its tool run and its security events together."""
    return new_id()


def _kind(session: ToolSession, call: ToolCall) -> str:
    found = tool_named(call.name, session.tools)
    return found.kind if found else ToolRun.Kind.LOCAL
