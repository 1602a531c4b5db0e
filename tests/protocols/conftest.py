"""Servers for the tests of the wire."""

from collections.abc import Iterator

import pytest

from tests.protocols.model_server import ModelServer, model_server
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
def model() -> Iterator[ModelServer]:
    with model_server() as server:
        yield server


@pytest.fixture(scope="session")
def server(model: ModelServer) -> Iterator[RunningServer]:
    """The product with its demo data, asking `model`; for tests that do not end it."""
    with running(OPENAI_BASE_URL=model.url) as served:
        yield served


@pytest.fixture(scope="session")
def alice(server: RunningServer) -> Client:
    """Signed in by her browser, for all tests: each takes a conversation of its own."""
    return Client(server).sign_in("alice")


@pytest.fixture
def held(model: ModelServer) -> Iterator[ModelServer]:
    """The model, in whose answers `hold` waits until the test ends or releases it."""
    model.release.clear()
    yield model
    model.release.set()
