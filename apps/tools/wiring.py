"""Joins the framework-free gateway to the database; what hosts and journals call."""

from collections.abc import Callable

from django.conf import settings
from django.utils import translation

from apps.runtime.messages import ToolAnswer, ToolSpec
from apps.runtime.ports import Toolbox
from apps.tools import handover, records
from apps.tools.facts import live_now, rules_of
from apps.tools.gateway import Gateway
from apps.tools.ledger import CallLedger, Submit
from apps.tools.local_calls import LocalCalls
from apps.tools.models import ToolRun
from apps.tools.policy import offered
from apps.tools.session import ToolSession
from apps.tools.settling import close_open_calls, settle_call
from apps.tools.wordings import wording

__all__ = ["answers_of", "build_toolbox", "close_open_calls", "settle_call", "tool_specs"]


def build_toolbox(
    session: ToolSession, submit: Submit, hand_over: Callable[[str], None] = handover.put
) -> Toolbox:
    """The governed tools of one run; `submit` is `Writer.submit`.

    `hand_over` gets the audit id of each call whose outcome is committed: audit.after is due.
    """
    locale = session.actor.locale or settings.LANGUAGE_CODE
    with translation.override(locale):
        texts = wording()
    return Gateway(
        ledger=CallLedger(session=session, submit=submit, wording=texts),
        invoker=LocalCalls(session=session, locale=locale),
        wording=texts,
        hand_over=hand_over,
        trace_id=session.trace_id,
    )


def tool_specs(session: ToolSession) -> tuple[ToolSpec, ...]:
    """The tools the model is shown: the same rules as at the call."""
    return tuple(
        ToolSpec(name=tool.name, description=tool.description, parameters=tool.schema)
        for tool in offered(rules_of(session), live_now(session))
    )


def answers_of(run_ids: list[str]) -> dict[str, ToolAnswer]:
    """By tool call id: what the model was told, of every call of these runs that has ended."""
    rows = ToolRun.objects.filter(run_id__in=run_ids, ok__isnull=False)
    return {row.tool_call_id: records.answer_of(row) for row in rows}
