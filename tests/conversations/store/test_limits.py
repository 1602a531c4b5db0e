"""The limiter: starts a minute and open runs, per user, over all conversations."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Conversation, RunLimit
from apps.conversations.services import limits
from tests.conversations.store.support import end, refusal, say, stored

pytestmark = [pytest.mark.django_db, pytest.mark.req("RUN-3")]
MORNING = datetime(2026, 11, 30, 8, tzinfo=UTC)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Sets the limiter's time, in seconds after a morning."""

    def at(seconds: float) -> None:
        monkeypatch.setattr(limits, "now", lambda: MORNING + timedelta(seconds=seconds))

    at(0)
    return at


def talk(user: User, agent: Agent) -> Conversation:
    return Conversation.objects.create(user=user, agent=agent, created_at=MORNING)


def test_starts_over_the_limit_are_refused(
    conversation: Conversation, settings: Any, clock: Callable[[float], None]
) -> None:
    settings.RUNS_PER_MINUTE = 2
    end(say(conversation))
    clock(10)
    end(say(conversation))
    before = stored()
    problem = refusal(lambda: say(conversation))
    assert (problem.status, problem.code) == (429, "rate_limited")
    assert problem.retry_after == 50
    assert stored() == before


def test_the_window_slides(
    conversation: Conversation, settings: Any, clock: Callable[[float], None]
) -> None:
    settings.RUNS_PER_MINUTE = 2
    end(say(conversation))
    clock(59)
    end(say(conversation))
    clock(60)
    end(say(conversation))
    assert refusal(lambda: say(conversation)).retry_after == 59


def test_a_lowered_limit_counts_from_the_newest(
    conversation: Conversation, settings: Any, clock: Callable[[float], None]
) -> None:
    settings.RUNS_PER_MINUTE = 3
    for second in (0, 20, 40):
        clock(second)
        end(say(conversation))
    settings.RUNS_PER_MINUTE = 1
    assert refusal(lambda: say(conversation)).retry_after == 60


def test_refused_attempts_cost_nothing(conversation: Conversation, settings: Any) -> None:
    settings.RUNS_PER_MINUTE = 2
    for _ in range(5):
        assert refusal(lambda: say(conversation, "")).status == 400
    end(say(conversation))
    end(say(conversation))
    assert refusal(lambda: say(conversation)).status == 429


def test_replays_cost_nothing(conversation: Conversation, settings: Any) -> None:
    settings.RUNS_PER_MINUTE = 1
    request_id = "6e8a4d5e-6f5d-4b58-9a47-0c1d7d0a8f11"
    for _ in range(3):
        say(conversation, request_id=request_id)
    assert len(RunLimit.objects.get().starts) == 1


@pytest.mark.parametrize("status", ["queued", "running", "waiting"])
def test_open_runs_over_the_limit_are_refused(
    alice: User, assistant: Agent, settings: Any, status: str
) -> None:
    settings.OPEN_RUNS_PER_USER = 2
    first = say(talk(alice, assistant))
    second = say(talk(alice, assistant))
    for started in (first, second):
        end(started, status)
    problem = refusal(lambda: say(talk(alice, assistant)))
    assert (problem.status, problem.code) == (429, "rate_limited")
    assert problem.retry_after == limits.OPEN_RETRY_S
    end(first)
    assert not say(talk(alice, assistant)).replayed


def test_people_do_not_share_limits(
    alice: User, bob: User, assistant: Agent, settings: Any
) -> None:
    settings.RUNS_PER_MINUTE, settings.OPEN_RUNS_PER_USER = 1, 1
    say(talk(alice, assistant))
    assert not say(talk(bob, assistant)).replayed
    assert refusal(lambda: say(talk(alice, assistant))).status == 429


def test_zero_is_no_limit(alice: User, assistant: Agent, settings: Any) -> None:
    settings.RUNS_PER_MINUTE = settings.OPEN_RUNS_PER_USER = 0
    for _ in range(25):
        say(talk(alice, assistant))
    assert not RunLimit.objects.exists()
