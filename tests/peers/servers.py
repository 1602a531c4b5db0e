"""Independent servers of the Chat Completions wire, each started on a free port.

llmock comes with the Python requirements. aimock needs Node 20 and once
`npm ci --prefix tests/peers`; `AIMOCK_CLI` names another copy of its `dist/cli.js`.
"""

import os
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.runtime.wire import free_port

HERE = Path(__file__).parent
INSTALLED = HERE / "node_modules" / "@copilotkit" / "aimock" / "dist" / "cli.js"


@contextmanager
def llmock() -> Iterator[str]:
    """Run llmock; yield its address."""
    port = free_port()
    command = [str(Path(sys.executable).with_name("llmock")), "serve", "--port", str(port)]
    with serving(command, port, "/_llmock/requests"):
        yield f"http://127.0.0.1:{port}"


@contextmanager
def aimock(fixtures: Path = HERE / "fixtures" / "aimock.json") -> Iterator[str]:
    """Run aimock with these answers; yield its address. Skips the test where it is missing."""
    cli, node = Path(os.environ.get("AIMOCK_CLI") or INSTALLED), shutil.which("node")
    if node is None or not cli.exists():
        missing("aimock needs Node 20 and `npm ci --prefix tests/peers`")
    port = free_port()
    command = [str(node), str(cli), "-p", str(port), "-f", str(fixtures), "--strict"]
    with serving(command, port, "/health"):
        yield f"http://127.0.0.1:{port}"


def missing(what: str) -> None:
    """Skip the test, or fail it where `REQUIRE_PEERS=1` promised that every part is there."""
    refuse = pytest.fail if os.environ.get("REQUIRE_PEERS") == "1" else pytest.skip
    refuse(what)


@contextmanager
def serving(command: list[str], port: int, path: str) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        wait_for(f"http://127.0.0.1:{port}{path}", process)
        yield
    finally:
        process.terminate()
        process.wait(10)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    """Wait until the address answers: it is another program, only asking shows it."""
    for _ in range(150):
        assert process.poll() is None, "the server ended at its start"
        try:
            urllib.request.urlopen(url, timeout=1).close()  # noqa: S310
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"no answer from {url}")
