"""A server on this machine that plays whatever an address out there may be."""

import ssl
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Asked(NamedTuple):
    """One request as the server saw it."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes


class Outside(ThreadingHTTPServer):
    """Answers by path; `asked` is what came, `status` and `body` what plain paths answer."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answers)
        self.asked: list[Asked] = []
        self.status = 200
        self.body = b"hello"
        self.headers: dict[str, str] = {}
        self.target = ""
        self.hold = threading.Event()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hung up is what some tests are about."""

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Answers(BaseHTTPRequestHandler):
    server: Outside

    def do_GET(self) -> None:
        length = int(self.headers.get("Content-Length", 0))
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(length)
        self.server.asked.append(Asked(self.command, self.path, headers, body))
        kind = self.path.strip("/").split("/")[0]
        getattr(self, f"_{kind}", self._plain)()

    do_POST = do_HEAD = do_GET  # noqa: N815

    def _plain(self) -> None:
        length = str(len(self.server.body))
        self._head(self.server.status, {"Content-Length": length, **self.server.headers})
        if self.command != "HEAD":
            self.wfile.write(self.server.body)

    def _redirect(self) -> None:
        status = int(self.path.split("/")[2])
        self._head(status, {"Location": self.server.target, "Content-Length": "0"})

    def _nowhere(self) -> None:
        self._head(302, {"Content-Length": "0"})

    def _endless(self) -> None:
        self._head(200, {})
        while True:
            self.wfile.write(b"x" * 65_536)

    def _packed(self) -> None:
        self._head(200, {"Content-Encoding": "gzip", "Content-Length": "5"})
        self.wfile.write(b"hello")

    def _silent(self) -> None:
        self.server.hold.wait(30)

    def _drip(self) -> None:
        """A byte of the body at a time, each well within any time-out of one read."""
        self._head(200, {"Content-Length": "100000"})
        for _ in range(300):
            self.wfile.write(b".")
            self.wfile.flush()
            time.sleep(0.1)

    def _slow_head(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nX-Long: ")
        for _ in range(300):
            self.wfile.write(b".")
            self.wfile.flush()
            time.sleep(0.1)

    def _head(self, status: int, headers: Mapping[str, str]) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: the tests look at `asked`."""


@contextmanager
def outside(context: ssl.SSLContext | None = None) -> Iterator[Outside]:
    """The server while it runs, behind TLS where a context is given."""
    server = Outside()
    if context:
        server.socket = context.wrap_socket(server.socket, server_side=True)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.hold.set()
        server.shutdown()
        thread.join()
        server.server_close()
