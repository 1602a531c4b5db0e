"""A pytest plugin: each test starts with a process that has loaded nothing of agents.

A row that was rolled back gives its id to the next one, so what was kept under it is wrong.
"""

from collections.abc import Iterator

import pytest

from apps.agents import providers
from apps.agents.services import catalogue


@pytest.fixture(autouse=True)
def _forget_agents() -> Iterator[None]:
    yield
    catalogue.reset()
    providers.forget_scripts()
