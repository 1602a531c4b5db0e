"""People and rows that the tests of agents start from."""

import pytest
from django.test import Client

from apps.accounts.models import Organisation, User
from apps.agents.models import Agent
from tests import factories


@pytest.fixture
def publisher(organisation: Organisation) -> User:
    """Staff: may use and publish the agent `draft`."""
    return factories.make_user("publisher", organisation, is_staff=True)


@pytest.fixture
def draft(organisation: Organisation, operator: User, publisher: User) -> Agent:
    """An agent that was never published, which the operator edits and the publisher publishes."""
    provider = factories.make_provider(organisation, name="models")
    agent = factories.make_agent(organisation, "helper", provider=provider)
    factories.grant(operator, agent, "use_agent", "edit_agent")
    factories.grant(publisher, agent, "use_agent", "publish_agent")
    return agent


@pytest.fixture
def root(organisation: Organisation) -> User:
    return factories.make_user("root", organisation, is_staff=True, is_superuser=True)


@pytest.fixture
def console(client: Client, operator: User) -> Client:
    """A browser in which the operator is signed in."""
    client.force_login(operator)
    return client
