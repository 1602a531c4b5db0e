"""The paced server as a child process, and its clients."""

import json
import os
import signal
import socket
import subprocess
import sys
from typing import Any

import psutil

from tests.server import ROOT
from tests.wire_client import Answer, Stream

PATIENCE_S = 60


class PacedServer:
    """`python -m tests.protocols.pace_server` on a free port."""

    def __init__(self, *, drain: float = 5.0) -> None:
        self._sockets: list[socket.socket] = []  # closed with the server at the latest
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.protocols.pace_server", "--drain", str(drain)],
            cwd=ROOT,
            env=dict(os.environ),
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self.process.stdout is not None
        self.port = int(self.process.stdout.readline())
        self.usage = psutil.Process(self.process.pid)

    def megabytes(self) -> float:
        return float(self.usage.memory_info().rss) / 1e6

    def connect(self, *, receive_buffer: int | None = None) -> socket.socket:
        sock = socket.socket()
        self._sockets.append(sock)
        if receive_buffer:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        sock.settimeout(20)
        sock.connect(("127.0.0.1", self.port))
        return sock

    def play(
        self, *, events: int = 10, interval: float = 0.0, size: int = 8, buffer: int | None = None
    ) -> Stream:
        script = {"events": events, "interval": interval, "size": size}
        return Stream(self.connect(receive_buffer=buffer), posted(script))

    def ask(self, request: bytes) -> Answer:
        """One plain answer to raw bytes."""
        return Stream(self.connect(), request).answer()

    def figures(self) -> dict[str, Any]:
        found: dict[str, Any] = self.ask(b"GET /figures HTTP/1.1\r\nHost: x\r\n\r\n").json()
        return found

    def terminate(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def ending(self) -> tuple[float, str]:
        """Wait for its end: the seconds it took by its own clock, and what it said before.

        Its own, because a busy machine also takes its time to tear a process down.
        """
        assert self.process.wait(PATIENCE_S) == 0
        said, _, seconds = self.output().rpartition("ended after ")
        return float(seconds), said

    def output(self) -> str:
        """What it still says, to its end."""
        assert self.process.stdout is not None
        return self.process.stdout.read()

    def close(self) -> None:
        for sock in self._sockets:
            sock.close()
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


AUTHORIZED = "Authorization: Token secret\r\n"


def posted(script: Any, *, auth: str = AUTHORIZED, more: str = "") -> bytes:
    body = json.dumps(script).encode()
    head = f"POST /paced HTTP/1.1\r\nHost: x\r\n{auth}{more}Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


def relayed(**script: Any) -> bytes:
    return f"GET /relay?{json.dumps(script).encode().hex()} HTTP/1.1\r\nHost: x\r\n\r\n".encode()
