"""The servers on which the stories are told."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.peers import servers
from tests.server import RunningServer, running

SCRIPT = Path(__file__).parent / "aimock_student.json"


@pytest.fixture(params=["demo model", pytest.param("aimock", marks=pytest.mark.peer("aimock"))])
def server(request: pytest.FixtureRequest) -> Iterator[RunningServer]:
    """The product; its agents ask the demo model, or by the official client a mock of the API."""
    if request.param == "demo model":
        with running() as served:
            yield served
    else:
        with servers.aimock(SCRIPT) as url, running(OPENAI_BASE_URL=f"{url}/v1") as served:
            yield served
