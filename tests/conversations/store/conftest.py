"""An agent without tools, and a conversation of alice's with it."""

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent
from apps.agents.services import catalogue
from apps.conversations.models import Conversation
from apps.conversations.services.conversations import create_conversation
from tests import factories


@pytest.fixture(autouse=True)
def _no_snapshots_of_other_tests() -> None:
    catalogue.reset()


@pytest.fixture
def assistant(organisation: Organisation, request: pytest.FixtureRequest) -> Agent:
    """Live in version 1; whoever is in the test may do what is theirs."""
    agent = factories.make_agent(organisation, tools=())
    for name, rights in factories.RIGHTS.items():
        if name in request.fixturenames:
            factories.grant(request.getfixturevalue(name), agent, *rights)
    return factories.publish(agent)


@pytest.fixture
def conversation(alice: User, assistant: Agent) -> Conversation:
    return create_conversation(actor=Actor.of(alice), agent_code=assistant.code)
