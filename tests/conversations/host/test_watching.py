"""Who watches a conversation hears of every later run, once, and all pay one query together."""

import asyncio
from collections.abc import Coroutine, Mapping
from typing import Any, TypeVar

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from apps.accounts.actor import Actor
from apps.conversations import bridge
from apps.conversations.models import Conversation
from apps.conversations.services.conversations import delete_conversation
from apps.conversations.stream import watching
from apps.conversations.stream.later_runs import Found, Known, look
from apps.conversations.stream.watching import Watching
from tests.conversations.store.support import end, say

T = TypeVar("T")
pytestmark = pytest.mark.req("RUN-9")


@pytest.mark.django_db
def test_look_finds_what_came_since(conversation: Conversation) -> None:
    first = say(conversation)
    known = {conversation.pk: Known(moment=None, message_id=0)}
    found = look(known)[conversation.pk]
    assert found.runs == ((first.message_id, first.run_id),)
    known = {conversation.pk: Known(moment=found.moment, message_id=first.message_id)}
    with CaptureQueriesContext(connection) as queries:
        assert look(known) == {}
    assert len(queries) == 1
    end(first)
    second = say(conversation)
    assert look(known)[conversation.pk].runs == ((second.message_id, second.run_id),)


@pytest.mark.django_db
def test_look_tells_of_what_is_gone() -> None:
    assert look({"nowhere": Known(moment=None, message_id=0)}) == {
        "nowhere": Found(moment=None, gone=True)
    }


@pytest.mark.django_db
def test_idle_conversations_cost_one_query(conversation: Conversation) -> None:
    others = [
        Conversation.objects.create(
            user=conversation.user, agent=conversation.agent, created_at=conversation.created_at
        )
        for _ in range(20)
    ]
    known = {one.pk: Known(moment=None, message_id=0) for one in others}
    with CaptureQueriesContext(connection) as queries:
        assert look(known) == {}
    assert len(queries) == 1


def soon(work: Coroutine[Any, Any, T]) -> T:
    """What it comes to, and not for ever."""
    return asyncio.run(asyncio.wait_for(work, 5))


class Looks:
    """Stands in for the database: what each look finds."""

    def __init__(self, *found: dict[str, Found]) -> None:
        self.found = list(found)
        self.asked: list[dict[str, Known]] = []

    async def __call__(self, known: Mapping[str, Known]) -> dict[str, Found]:
        self.asked.append(dict(known))
        return self.found.pop(0) if self.found else {}


@pytest.fixture
def looks(monkeypatch: pytest.MonkeyPatch) -> Looks:
    made = Looks()
    monkeypatch.setattr(bridge, "look_for_runs", made)
    monkeypatch.setattr(watching, "LOOK_S", 0.01)
    return made


def test_run_is_told_once_by_hint_and_look(looks: Looks) -> None:
    looks.found = [{}, {"c": Found(moment=None, runs=((5, "run1"), (7, "run2")))}]

    async def watch() -> list[str | None]:
        watches = Watching()
        with watches.watch("c", message_id=0) as one:
            watches.tell("c", "run1")
            watches.tell("c", "run1")
            watches.tell("elsewhere", "run9")
            return [await one.next(), await one.next()]

    assert soon(watch()) == ["run1", "run2"]


def test_hint_does_not_hide_an_earlier_run(looks: Looks) -> None:
    """Started and ended elsewhere before the one that is told here."""
    looks.found = [{"c": Found(moment=None, runs=((5, "early"), (9, "told")))}]

    async def watch() -> set[str | None]:
        watches = Watching()
        with watches.watch("c", message_id=0) as one:
            watches.tell("c", "told")
            return {await one.next(), await one.next()}

    assert soon(watch()) == {"early", "told"}


def test_each_watch_hears_what_it_does_not_know(looks: Looks) -> None:
    looks.found = [{"c": Found(moment=None, runs=((5, "a"), (9, "b")))}]

    async def watch() -> tuple[list[str | None], str | None]:
        watches = Watching()
        with watches.watch("c", message_id=0) as old, watches.watch("c", message_id=5) as new:
            return [await old.next(), await old.next()], await new.next()

    assert soon(watch()) == (["a", "b"], "b")
    assert looks.asked[0]["c"].message_id == 0


def test_nobody_watching_costs_nothing(looks: Looks) -> None:
    async def watch() -> int:
        watches = Watching()
        with watches.watch("c", message_id=0):
            await asyncio.sleep(0.05)
        await asyncio.sleep(0)
        before = len(looks.asked)
        await asyncio.sleep(0.05)
        assert before > 1
        return len(looks.asked) - before

    assert soon(watch()) == 0


@pytest.mark.django_db(transaction=True)
def test_deleted_conversation_is_told(conversation: Conversation) -> None:
    actor = Actor.of(conversation.user)

    async def watch() -> str | None:
        with Watching().watch(conversation.pk, message_id=0) as one:
            await asyncio.to_thread(
                delete_conversation, actor=actor, conversation_id=conversation.pk
            )
            return await one.next()

    assert soon(watch()) is None
