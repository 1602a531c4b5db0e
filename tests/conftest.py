"""What every test may ask for: people, the seeded agent, and who acts."""

from collections.abc import Callable, Iterator

import pytest
from django.utils import translation

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent
from tests import factories

pytest_plugins = ["tests.plugins.flush", "tests.plugins.bridge_guard", "tests.plugins.agent_memory"]


@pytest.fixture(autouse=True)
def no_language_left_over() -> Iterator[None]:
    """A request leaves its language active in the thread; the next test begins without one."""
    yield
    translation.deactivate()


@pytest.fixture
def organisation(db: None) -> Organisation:
    return factories.make_organisation("demo")


@pytest.fixture
def other_organisation(db: None) -> Organisation:
    return factories.make_organisation("other")


@pytest.fixture
def alice(organisation: Organisation) -> User:
    """May chat, and create and see students."""
    return factories.make_user("alice", organisation, *factories.CHAT, *factories.STUDENTS)


@pytest.fixture
def bob(organisation: Organisation) -> User:
    """As alice, but may not create students."""
    return factories.make_user("bob", organisation, *factories.CHAT, "students.view_student")


@pytest.fixture
def carol(other_organisation: Organisation) -> User:
    """As alice, in another organisation."""
    return factories.make_user("carol", other_organisation, *factories.CHAT, *factories.STUDENTS)


@pytest.fixture
def operator(organisation: Organisation) -> User:
    """Staff: may use and edit the organisation's agents."""
    return factories.make_user("operator", organisation, *factories.CHAT, is_staff=True)


@pytest.fixture
def assistant(organisation: Organisation, request: pytest.FixtureRequest) -> Agent:
    """The seeded agent, version 1 live; who of these people is in the test may do what is hers."""
    agent = factories.make_agent(organisation)
    for name, rights in factories.RIGHTS.items():
        if name in request.fixturenames:
            factories.grant(request.getfixturevalue(name), agent, *rights)
    return factories.publish(agent)


@pytest.fixture
def actor_of() -> Callable[[User], Actor]:
    return Actor.of
