"""Joins the framework-free gateway to the database; what hosts and journals call."""

from django.conf import settings
from django.utils import translation

from apps.lib import bridge
from apps.runtime.messages import ToolAnswer, ToolSpec
from apps.runtime.ports import Toolbox
from apps.tools import records
from apps.tools.gateway import Gateway
from apps.tools.ledger import CallLedger, Submit
from apps.tools.local_calls import LocalCalls
from apps.tools.models import ToolRun
from apps.tools.outcome import Refusal
from apps.tools.policy import Rules, decide, offered
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.rights import rights_of
from apps.tools.session import ToolSession
from apps.tools.settling import close_open_calls, settle_call
from apps.tools.tiers import tier_of
from apps.tools.wordings import wording

__all__ = ["answers_of", "build_toolbox", "close_open_calls", "settle_call", "tool_specs"]


def build_toolbox(session: ToolSession, submit: Submit) -> Toolbox:
    """The governed tools of one run; `submit` is `Writer.submit`."""
    locale = session.actor.locale or settings.LANGUAGE_CODE
    with translation.override(locale):
        texts = wording()
    return Gateway(
        ledger=CallLedger(session=session, submit=submit),
        policy=lambda name: bridge.call(_decide, session, name),
        invoker=LocalCalls(session=session, locale=locale),
        tier_of=tier_of,
        wording=texts,
    )


def tool_specs(session: ToolSession) -> tuple[ToolSpec, ...]:
    """The tools the model is shown: the same rules as at the call."""
    shown = offered(_rules(session), rights_of(session.actor.user_id))
    return tuple(
        ToolSpec(name=tool.name, description=tool.description, parameters=tool.schema)
        for tool in shown
    )


def answers_of(run_ids: list[str]) -> dict[str, ToolAnswer]:
    """By tool call id: what the model was told, of every call of these runs that has ended."""
    rows = ToolRun.objects.filter(run_id__in=run_ids, ok__isnull=False)
    return {row.tool_call_id: records.answer_of(row) for row in rows}


def _decide(session: ToolSession, name: str) -> ToolDescriptor | Refusal:
    return decide(name, _rules(session), rights_of(session.actor.user_id))


def _rules(session: ToolSession) -> Rules:
    return Rules(
        surface=session.surface,
        permission_mode=session.permission_mode,
        plan_mode=session.plan_mode,
        tools=session.tools,
    )
