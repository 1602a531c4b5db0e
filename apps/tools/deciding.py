"""Decides calls in the order in which they came: quota, then policy; both in one transaction.

Fail closed: a check that raises, is late or answers nonsense is a refusal. An error of the database
leaves this module, since its transaction is lost: the call is then opened anew as refused.
"""

import logging
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from django.db import DatabaseError

from apps.lib import clock
from apps.lib.writer.statements import Rows, Statement
from apps.tools.definitions import current
from apps.tools.facts import Asked, accounts_question, live_of, rules_of
from apps.tools.outcome import Refusal
from apps.tools.policy import decide
from apps.tools.quota_windows import Windows, caller_of
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.rights import Account, accounts_in

logger = logging.getLogger(__name__)
R = TypeVar("R")
PATIENCE_S = 1.0


class Desk:
    """Where the calls of one round are decided, once the database has answered the questions."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self._until = time.monotonic() + PATIENCE_S
        self._facts = _closed(lambda: _Facts(asked)) if asked else unreadable("nothing was asked")

    @property
    def questions(self) -> Sequence[Statement]:
        """They charge the calls, too."""
        return () if isinstance(self._facts, Refusal) else self._facts.questions

    def decide(
        self, asked: Sequence[Asked], answers: Sequence[Rows]
    ) -> list[ToolDescriptor | Refusal]:
        """The tool of each call that may go on, and is charged; else why it may not, uncharged."""
        facts = self._facts
        if isinstance(facts, Refusal):
            return [facts] * len(asked)
        facts.windows.charged(answers[1] if len(answers) > 1 else ())
        facts.accounts = _closed(lambda: accounts_in(answers[0]))
        decided = [_closed(lambda call=call: self._one(facts, call)) for call in asked]  # type: ignore[misc]
        facts.windows.give_back()
        return decided

    def _one(self, facts: "_Facts", asked: Asked) -> ToolDescriptor | Refusal:
        if isinstance(facts.accounts, Refusal):
            return facts.accounts
        caller = caller_of(asked.session, asked.name)
        if refusal := facts.windows.refusal(caller):
            return refusal
        live = live_of(asked.session, facts.accounts, facts.definitions.off)
        decision: object = decide(asked.name, rules_of(asked.session), live)
        if time.monotonic() > self._until:
            return unreadable("no answer in time")
        if isinstance(decision, Refusal):
            return decision
        if isinstance(decision, ToolDescriptor) and decision.name == asked.name:
            facts.windows.take(caller)
            return decision
        return unreadable("it answered nonsense")


def unreadable(why: str) -> Refusal:
    """No check has said yes."""
    return Refusal(kind="unreadable", detail=f"policy unreadable: {why}")


class _Facts:
    """All that the decisions of one round are taken by."""

    def __init__(self, asked: Sequence[Asked]) -> None:
        self.definitions = current()
        callers = [caller_of(call.session, call.name) for call in asked]
        self.windows = Windows(self.definitions.limits, callers, clock.now())
        self.questions = [accounts_question(asked), *self.windows.charge()]
        self.accounts: Mapping[int, Account] | Refusal = {}


def _closed(check: Callable[[], R]) -> R | Refusal:
    try:
        return check()
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("a check of the tool policy failed")
        return unreadable("".join(traceback.format_exception_only(error)).strip())
