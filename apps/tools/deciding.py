"""Decides calls in the order in which they came: quota, then policy; both in one transaction.

Fail closed: a check that raises, is late or answers nonsense is a refusal. An error of the database
leaves this module, since its transaction is lost: the call is then opened anew as refused.
"""

import logging
import time
import traceback
from collections.abc import Callable, Sequence
from typing import TypeVar

from django.db import DatabaseError

from apps.lib import clock
from apps.tools.definitions import current
from apps.tools.facts import Asked, accounts_for, live_of, rules_of
from apps.tools.outcome import Refusal
from apps.tools.policy import decide
from apps.tools.quota_windows import Windows, caller_of
from apps.tools.registry.descriptor import ToolDescriptor

logger = logging.getLogger(__name__)
R = TypeVar("R")
PATIENCE_S = 1.0


def decisions(asked: Sequence[Asked]) -> list[ToolDescriptor | Refusal]:
    """The tool of each call that may go on, and is charged; else why it may not, uncharged."""
    began = time.monotonic()
    desk = _closed(lambda: _Desk(asked, began))
    if isinstance(desk, Refusal):
        return [desk] * len(asked)
    decided = [_closed(lambda call=call: desk.decide(call)) for call in asked]  # type: ignore[misc]
    desk.windows.write()
    return decided


def unreadable(why: str) -> Refusal:
    """No check has said yes."""
    return Refusal(kind="unreadable", detail=f"policy unreadable: {why}")


class _Desk:
    """All that the decisions of one round are taken by."""

    def __init__(self, asked: Sequence[Asked], began: float) -> None:
        self._until = began + PATIENCE_S
        self._definitions = current()
        self._accounts = accounts_for(asked)
        callers = (caller_of(call.session, call.name) for call in asked)
        self.windows = Windows(self._definitions.limits, callers, clock.now())

    def decide(self, asked: Asked) -> ToolDescriptor | Refusal:
        caller = caller_of(asked.session, asked.name)
        if refusal := self.windows.refusal(caller):
            return refusal
        live = live_of(asked.session, self._accounts, self._definitions.off)
        decision: object = decide(asked.name, rules_of(asked.session), live)
        if time.monotonic() > self._until:
            return unreadable("no answer in time")
        if isinstance(decision, Refusal):
            return decision
        if isinstance(decision, ToolDescriptor) and decision.name == asked.name:
            self.windows.take(caller)
            return decision
        return unreadable("it answered nonsense")


def _closed(check: Callable[[], R]) -> R | Refusal:
    try:
        return check()
    except DatabaseError:
        raise
    except Exception as error:
        logger.exception("a check of the tool policy failed")
        return unreadable("".join(traceback.format_exception_only(error)).strip())
