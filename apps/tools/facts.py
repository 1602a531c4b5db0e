"""The facts of a decision, as they are now; the list and the call are judged by the same."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from apps.lib.writer.statements import Statement
from apps.tools.definitions import switched_off
from apps.tools.policy import Live, Off, Rules, tool_named, wanted_rights
from apps.tools.rights import NOBODY, Account, accounts_of, question
from apps.tools.session import ToolSession


class Asked(NamedTuple):
    """A tool that somebody wants to call, by its name."""

    session: ToolSession
    name: str


def rules_of(session: ToolSession) -> Rules:
    """What is fixed for the whole run."""
    return Rules(
        user_id=session.actor.user_id,
        agent=session.agent_code,
        surface=session.surface,
        permission_mode=session.permission_mode,
        plan_mode=session.plan_mode,
        tools=session.tools,
    )


def live_of(session: ToolSession, accounts: Mapping[int, Account], off: Off) -> Live:
    """What holds for the caller, of what was read for many."""
    account = accounts.get(session.actor.user_id, NOBODY)
    return Live(active=account.active, has=account.has, off=off)


def live_now(session: ToolSession) -> Live:
    """Read for one session alone, with the rights of all its tools."""
    rights = [right for tool in session.tools for right in wanted_rights(tool)]
    accounts = accounts_of([session.actor.user_id], rights)
    return live_of(session, accounts, switched_off())


def accounts_question(asked: Sequence[Asked]) -> Statement:
    """For the callers, with the rights that the decision may look at."""
    rights = {right for call in asked for right in _rights(call)}
    return question({call.session.actor.user_id for call in asked}, rights)


def _rights(asked: Asked) -> Iterable[str]:
    """An unknown name is answered with the list, which needs all."""
    found = tool_named(asked.name, asked.session.tools)
    tools = asked.session.tools if found is None else (found,)
    return (right for tool in tools for right in wanted_rights(tool))
