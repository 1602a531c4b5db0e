"""An agent without tools, a conversation of alice's with it, and models in place of its own."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from pytest_django import Settings

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent
from apps.agents.services import catalogue
from apps.conversations.host import drive
from apps.conversations.models import Conversation
from apps.conversations.services.conversations import create_conversation
from tests import factories
from tests.conversations.host.support import HandModel

Use = Callable[[Any], Any]


@pytest.fixture(autouse=True)
def _fresh(settings: Settings) -> Iterator[None]:
    """No snapshots of other tests, no limits of the limiter."""
    settings.RUNS_PER_MINUTE = settings.OPEN_RUNS_PER_USER = 0
    catalogue.reset()
    yield
    catalogue.reset()


@pytest.fixture
def assistant(organisation: Organisation, alice: User) -> Agent:
    agent = factories.make_agent(organisation, tools=())
    factories.grant(alice, agent, "use_agent")
    return factories.publish(agent)


@pytest.fixture
def conversation(alice: User, assistant: Agent) -> Conversation:
    return another(alice, assistant)


def another(alice: User, assistant: Agent) -> Conversation:
    """A conversation with its people loaded, so that coroutines may look at it."""
    made = create_conversation(actor=Actor.of(alice), agent_code=assistant.code)
    return Conversation.objects.select_related("user", "agent__provider").get(pk=made.pk)


@pytest.fixture
def use(monkeypatch: pytest.MonkeyPatch) -> Use:
    """Put a model in place of the provider's."""

    def put(model: Any) -> Any:
        async def chat_model(snapshot: object) -> Any:
            return model

        monkeypatch.setattr(drive, "chat_model", chat_model)
        return model

    return put


@pytest.fixture
def hand(use: Use) -> HandModel:
    """A model led by the test."""
    model: HandModel = use(HandModel())
    return model
