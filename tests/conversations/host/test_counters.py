"""What a token costs, and what a turn costs: pinned as counts, not as times."""

import asyncio
import logging
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.db.backends.utils import CursorWrapper

from apps.conversations.host import run_host
from apps.conversations.models import Block, Conversation, EventBatch
from apps.lib import bridge
from apps.runtime.scripted_model import ScriptedModel, says
from tests.conversations.host.conftest import Use
from tests.conversations.host.support import HandModel, hosting, played, read, start
from tests.grammar import check_stream

pytestmark = pytest.mark.django_db(transaction=True)


class Costs(logging.Handler):
    """Counts queries, thread hops, writes and log lines of the whole process."""

    def __init__(self) -> None:
        super().__init__()
        self.counts: Counter[str] = Counter()
        self._lock = threading.Lock()

    def add(self, what: str) -> None:
        with self._lock:
            self.counts[what] += 1

    def emit(self, record: logging.LogRecord) -> None:
        self.add("log lines")

    def taken(self) -> Counter[str]:
        with self._lock:
            counts, self.counts = self.counts, Counter()
        return counts


@pytest.fixture
def costs(monkeypatch: pytest.MonkeyPatch) -> Iterator[Costs]:
    costs = Costs()

    def counted(what: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def count(*args: Any, **kwargs: Any) -> Any:
            costs.add(what)
            return function(*args, **kwargs)

        return count

    execute = CursorWrapper.execute

    def query(self: CursorWrapper, sql: Any, params: Any = None) -> Any:
        if not str(sql).startswith(("PRAGMA", "SET")):  # a new connection's, now and then
            costs.add("queries")
        return execute(self, sql, params)

    monkeypatch.setattr(CursorWrapper, "execute", query)
    monkeypatch.setattr(bridge, "call", counted("hops", bridge.call))
    monkeypatch.setattr(asyncio, "to_thread", counted("hops", asyncio.to_thread))
    # Ticks and looks depend on the time the test takes.
    monkeypatch.setattr(run_host, "TICK_S", 600.0)
    monkeypatch.setattr(run_host, "LOOK_S", 600.0)
    logging.getLogger().addHandler(costs)
    yield costs
    logging.getLogger().removeHandler(costs)


async def cost_of(
    conversation: Conversation, hand: HandModel, costs: Costs, tokens: int
) -> Counter[str]:
    """Of one turn whose answer has that many tokens, each in a turn of the loop."""
    async with hosting() as host:
        await asyncio.sleep(0.1)  # its start is done
        costs.taken()
        started = await start(host, conversation)
        reading = asyncio.create_task(read(host.follow(started.run_id)))
        await hand.asked.wait()
        hand.asked.clear()
        for _ in range(tokens):
            hand.say("x")
            await asyncio.sleep(0)
            await asyncio.sleep(0)
        hand.finish()
        check_stream(await reading)
        return costs.taken()


async def test_token_costs_no_query_hop_or_log_line(
    conversation: Conversation, hand: HandModel, costs: Costs
) -> None:
    await cost_of(conversation, hand, costs, 1)  # what a process does once
    few = await cost_of(conversation, hand, costs, 3)
    many = await cost_of(conversation, hand, costs, 1500)
    assert few == many
    assert many["log lines"] == 0
    assert many["queries"] > 0


@pytest.mark.req("RUN-5")
async def test_turn_costs_the_same_in_a_long_history(
    conversation: Conversation, use: Use, costs: Costs
) -> None:
    turns = 12
    with use(ScriptedModel(*[says(f"answer {n}") for n in range(turns)])):
        async with hosting() as host:
            spent, rows = [], []
            for _ in range(turns):
                costs.taken()
                before = await bridge.call(_rows)
                await played(host, conversation)
                spent.append(costs.taken()["queries"])
                rows.append(await bridge.call(_rows) - before)
    assert spent[2:] == [spent[2]] * (turns - 2)
    assert rows == [rows[0]] * turns


def _rows() -> int:
    return Block.objects.count() + EventBatch.objects.count()
