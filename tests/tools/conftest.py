"""The probe tools in the catalogue, and a session that offers them."""

import asyncio
import itertools
from collections.abc import Iterator
from typing import Any

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.lib.ids import new_id
from apps.runtime.events import ToolEvent
from apps.runtime.messages import ToolAnswer, ToolCall
from apps.runtime.steps import Place
from apps.tools import after
from apps.tools.models import ToolRun
from apps.tools.registry import catalogue
from apps.tools.session import ToolSession
from apps.tools.testing import answer_in, events_of, fake_session, registered
from tests.tools.services import ProbeTools


@pytest.fixture(autouse=True)
def probe() -> Iterator[type[ProbeTools]]:
    with registered(ProbeTools):
        ProbeTools.calls.clear()
        ProbeTools.body = dict
        yield ProbeTools


@pytest.fixture
def session(transactional_db: None, alice: User) -> ToolSession:
    """Alice's, on the chat surface, offering every registered tool."""
    return fake_session(Actor.of(alice), tools=catalogue.all())


class Caller:
    """Calls through the whole gateway and keeps the last events."""

    def __init__(self, session: ToolSession) -> None:
        self.session = session
        self.events: list[ToolEvent] = []
        self.places = itertools.count()

    def __call__(self, name: str, /, **arguments: Any) -> ToolAnswer:
        return self.make(call_of(name, **arguments))

    def make(self, call: ToolCall, place: Place | None = None) -> ToolAnswer:
        self.events = []
        place = place or Place(0, next(self.places))
        self.events = asyncio.run(events_of(self.session, call, place))
        return answer_in(self.events)


@pytest.fixture
def call(session: ToolSession) -> Caller:
    return Caller(session)


def write_after() -> int:
    """What the worker does with what was handed over: audit.after of all calls that have ended."""
    return after.write_now(ToolRun.objects.all())


def call_of(name: str, /, **arguments: Any) -> ToolCall:
    """A call with an id of ours."""
    return ToolCall(id=new_id(), name=name, arguments=arguments)
