"""The product's own server as a child process, with a database and a `var/` of its own."""

import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import ClassVar

import psutil

from tests.databases import served_database

ROOT = Path(__file__).resolve().parent.parent
PASSWORD = "correct horse"
START_SECONDS = 90


def manage(environment: Mapping[str, str], *arguments: str) -> str:
    """Run a command of `manage.py` in that environment to its end; its output."""
    done = subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{arguments}: {done.stdout}{done.stderr}"
    return done.stdout


class RunningServer:
    """`manage.py serve` on a free port, over a seeded database. Its log is `var/serve.log`."""

    command: ClassVar = ("manage.py", "serve")

    def __init__(self, environment: Mapping[str, str], *arguments: str) -> None:
        self._sockets: list[socket.socket] = []  # closed with the server at the latest
        self.environment = dict(environment)
        self.var = Path(environment["STEWARD_VAR"])
        self.log = self.var / "serve.log"
        with self.log.open("a") as log:
            self.process = subprocess.Popen(
                [sys.executable, *self.command, "--port", "0", *arguments],
                cwd=ROOT,
                env={**os.environ, **environment},
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )
        self.port = self._port()
        self.usage = psutil.Process(self.process.pid)

    def _port(self) -> int:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://127\.0\.0\.1:(\d+)/", line):
                return int(found[1])
        raise AssertionError(f"the server did not start: {self.log.read_text()}")

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def connect(self, *, receive_buffer: int | None = None) -> socket.socket:
        sock = socket.socket()
        self._sockets.append(sock)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(30)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def threads(self) -> int:
        return int(self.usage.num_threads())

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """End it at once if it still runs; what it left is the test's."""
        for sock in self._sockets:
            sock.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        if self.process.stdout is not None:
            self.process.stdout.close()


@contextmanager
def seeded(**settings: str) -> Iterator[dict[str, str]]:
    """An environment with the demo data in a database of its own; `settings` go into both."""
    with tempfile.TemporaryDirectory(prefix="steward-served-") as folder:
        environment = {
            "APP_MODE": "test",
            "STEWARD_VAR": folder,
            "DEMO_PASSWORD": PASSWORD,
            "RUNS_PER_MINUTE": "0",
            "OPEN_RUNS_PER_USER": "0",
            **settings,
        }
        with served_database(Path(folder), environment) as url:
            yield {**environment, "DATABASE_URL": url}


@contextmanager
def running(*arguments: str, **settings: str) -> Iterator[RunningServer]:
    """A seeded server for the block."""
    with seeded(**settings) as environment:
        server = RunningServer(environment, *arguments)
        try:
            yield server
        finally:
            server.close()
