"""Servers for the tests of the wire."""

from collections.abc import Iterator

import pytest

from tests.databases import drop_templates
from tests.protocols.paced import PacedServer
from tests.server import RunningServer, running
from tests.wire_client import Client


@pytest.fixture(scope="session")
def paced() -> Iterator[PacedServer]:
    server = PacedServer()
    yield server
    server.close()


@pytest.fixture
def mortal() -> Iterator[PacedServer]:
    """A paced server for one test, which ends it; two seconds to drain."""
    server = PacedServer(drain=2.0)
    yield server
    server.close()


@pytest.fixture(scope="session")
def server() -> Iterator[RunningServer]:
    """The product with its demo data, for tests that do not end it."""
    with running() as served:
        yield served
    drop_templates()


@pytest.fixture(scope="session")
def signed_in(server: RunningServer) -> Client:
    """alice in her browser, for all tests: each takes a conversation of its own."""
    return Client(server).sign_in("alice")
