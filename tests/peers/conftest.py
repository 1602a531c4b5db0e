"""The peers, started once for the session of tests."""

from collections.abc import Iterator

import pytest

from tests.peers import servers


@pytest.fixture(scope="session")
def llmock_url() -> Iterator[str]:
    with servers.llmock() as url:
        yield url


@pytest.fixture(scope="session")
def aimock_url() -> Iterator[str]:
    with servers.aimock() as url:
        yield url
