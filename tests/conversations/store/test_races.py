"""Many at once: rows and constraints decide, whoever asks and from wherever."""

from typing import Any
from uuid import uuid4

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Block, Conversation, Message, Run
from apps.conversations.services.conversations import delete_conversation
from apps.conversations.services.starting import StartedRun
from apps.lib.clock import now
from tests.conversations.store.support import codes, refusal, say, together

pytestmark = pytest.mark.django_db(transaction=True)
COUNT = 8


@pytest.fixture(params=["limited", "unlimited"])
def limited(request: pytest.FixtureRequest, settings: Any) -> None:
    """With a limit its row is the lock; without one the constraints are alone."""
    settings.RUNS_PER_MINUTE = settings.OPEN_RUNS_PER_USER = (
        100 if request.param == "limited" else 0
    )


@pytest.mark.req("RUN-8")
@pytest.mark.usefixtures("limited")
def test_one_of_many_starts_wins(conversation: Conversation) -> None:
    outcomes = together(COUNT, lambda number: say(conversation, f"text {number}"))
    assert codes(outcomes) == ["run_in_progress"] * (COUNT - 1) + ["started"]
    assert (Run.objects.count(), Message.objects.count(), Block.objects.count()) == (1, 2, 1)


@pytest.mark.req("RUN-7")
@pytest.mark.usefixtures("limited")
def test_one_request_id_makes_one_run(conversation: Conversation) -> None:
    request_id = str(uuid4())
    outcomes = together(COUNT, lambda _: say(conversation, request_id=request_id))
    started = [one for one in outcomes if isinstance(one, StartedRun)]
    assert len(started) == COUNT
    assert {one.run_id for one in started} == {Run.objects.get().pk}
    assert sum(not one.replayed for one in started) == 1
    assert Message.objects.count() == 2


@pytest.mark.req("RUN-3")
def test_the_last_places_are_given_once(alice: User, assistant: Agent, settings: Any) -> None:
    settings.RUNS_PER_MINUTE, settings.OPEN_RUNS_PER_USER = 0, 3
    talks = [_talk(alice, assistant) for _ in range(COUNT)]
    outcomes = together(COUNT, lambda number: say(talks[number]))
    assert codes(outcomes) == ["rate_limited"] * (COUNT - 3) + ["started"] * 3


@pytest.mark.req("RUN-3")
def test_starts_of_a_minute_are_counted_once(alice: User, assistant: Agent, settings: Any) -> None:
    settings.RUNS_PER_MINUTE, settings.OPEN_RUNS_PER_USER = 5, 0
    talks = [_talk(alice, assistant) for _ in range(COUNT)]
    outcomes = together(COUNT, lambda number: say(talks[number]))
    assert codes(outcomes) == ["rate_limited"] * (COUNT - 5) + ["started"] * 5


def test_deleted_conversation_is_not_found(conversation: Conversation) -> None:
    conversation.delete()
    assert refusal(lambda: say(conversation)).status == 404
    assert not Message.objects.exists()


@pytest.mark.req("RUN-5")
@pytest.mark.parametrize("attempt", range(5))
def test_one_of_many_deletes_removes(conversation: Conversation, alice: User, attempt: int) -> None:
    say(conversation, f"text {attempt}")

    def act(_number: int) -> str:
        delete_conversation(actor=Actor.of(alice), conversation_id=conversation.pk)
        return "deleted"

    outcomes = together(COUNT, act)
    assert outcomes.count("deleted") == 1
    assert codes([one for one in outcomes if one != "deleted"]) == ["not_found"] * (COUNT - 1)
    assert not Conversation.objects.exists()


@pytest.mark.parametrize("attempt", range(5))
def test_deleting_and_starting_never_clash(
    conversation: Conversation, alice: User, attempt: int
) -> None:
    """Whoever comes first: the conversation is gone, and the start was served or finds nothing."""

    def act(number: int) -> str:
        if number:
            say(conversation, f"text {attempt}")
            return "started"
        delete_conversation(actor=Actor.of(alice), conversation_id=conversation.pk)
        return "deleted"

    deleted, start = together(2, act)
    assert deleted == "deleted"
    assert start == "started" or codes([start]) == ["not_found"]
    assert not Conversation.objects.exists()
    assert (Message.objects.count(), Run.objects.count(), Block.objects.count()) == (0, 0, 0)


def _talk(user: User, agent: Agent) -> Conversation:
    return Conversation.objects.create(user=user, agent=agent, created_at=now())
