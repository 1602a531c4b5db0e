"""Clients of a running server: plain HTTP, and event streams read from raw sockets."""

import json
import socket
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from typing import Any, NamedTuple
from urllib.parse import urlencode

from tests.server import PASSWORD, RunningServer

API = "/api/ai/chat/conversations/"


class Answer(NamedTuple):
    """A whole HTTP answer; header names in lower case."""

    status: int
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)

    @property
    def code(self) -> str:
        """The `code` of a problem, which must have the right type and all its members."""
        assert self.headers["content-type"] == "application/problem+json", self
        problem = self.json()
        assert set(problem) >= {"title", "status", "code", "detail", "errors", "trace_id"}
        assert problem["status"] == self.status
        assert len(problem["trace_id"]) == 32
        return str(problem["code"])


class Event(NamedTuple):
    """One event of a stream."""

    seq: int
    name: str
    data: Any


class Stream:
    """One SSE answer, read as it comes; `answer` is set instead when it is no stream."""

    def __init__(self, sock: socket.socket, request: bytes) -> None:
        self.sock = sock
        self._buffer = b""
        self._text = b""
        self.raw = bytearray()
        sock.sendall(request)
        while b"\r\n\r\n" not in self._buffer:
            self._more()
        head, self._buffer = self._buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        self.status = int(lines[0].split(" ", 2)[1])
        pairs = (line.split(": ", 1) for line in lines[1:])
        self.headers = {name.lower(): value for name, value in pairs}

    @property
    def run_id(self) -> str:
        return self.headers["x-run-id"]

    def frames(self) -> Iterator[str]:
        """Whole frames, comments too; ends when the answer does, ConnectionError when cut."""
        while True:
            while b"\n\n" in self._text:
                frame, self._text = self._text.split(b"\n\n", 1)
                yield frame.decode()
            chunk = self._chunk()
            if not chunk:
                return
            self.raw += chunk
            self._text += chunk

    def events(self) -> Iterator[Event]:
        assert self.status == 200, self.answer()
        for frame in self.frames():
            if not frame.startswith(":"):
                seq, name, data = (line.split(": ", 1)[1] for line in frame.split("\n"))
                yield Event(int(seq), name, json.loads(data))

    def answer(self) -> Answer:
        """The rest, as one plain answer."""
        if "content-length" in self.headers:
            while len(self._buffer) < int(self.headers["content-length"]):
                self._more()
            body = self._buffer
        else:
            body = b"".join(iter(self._chunk, b""))
        self.close()
        return Answer(self.status, self.headers, body)

    def close(self) -> None:
        self.sock.close()

    def _chunk(self) -> bytes:
        while b"\r\n" not in self._buffer:
            self._more()
        line, self._buffer = self._buffer.split(b"\r\n", 1)
        size = int(line, 16)
        while len(self._buffer) < size + 2:
            self._more()
        chunk, self._buffer = self._buffer[:size], self._buffer[size + 2 :]
        return chunk

    def _more(self) -> None:
        data = self.sock.recv(65536)
        if not data:
            raise ConnectionError("cut")
        self._buffer += data


@dataclass
class Client:
    """A person at the server: signed in by a session, by a token, or not at all."""

    server: RunningServer
    cookies: dict[str, str] = field(default_factory=dict)
    headers: dict[str, str] = field(default_factory=dict)

    def sign_in(self, username: str, password: str = PASSWORD) -> "Client":
        """By the sign-in page, as a browser does."""
        self.request("GET", "/accounts/login/")
        form = {"username": username, "password": password, "csrfmiddlewaretoken": self.csrf}
        answer = self.request("POST", "/accounts/login/", urlencode(form).encode(), FORM)
        assert answer.status == 302, answer
        return self

    def take_token(self, username: str, password: str = PASSWORD) -> "Client":
        """By the token endpoint, as a program does."""
        body = {"username": username, "password": password}
        answer = self.request("POST", "/api/auth/token/", body)
        assert answer.status == 200, answer
        self.headers["Authorization"] = f"Token {answer.json()['token']}"
        return self

    @property
    def csrf(self) -> str:
        return self.cookies.get("csrftoken", "")

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        headers: Mapping[str, str] | None = None,
    ) -> Answer:
        content, own = self._prepared(body, headers)
        connection = HTTPConnection("127.0.0.1", self.server.port, timeout=30)
        connection.request(method, path, content, own)
        response = connection.getresponse()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                self.cookies |= {key: morsel.value for key, morsel in SimpleCookie(value).items()}
        found = {name.lower(): value for name, value in response.getheaders()}
        answer = Answer(response.status, found, response.read())
        connection.close()
        return answer

    def get(self, path: str) -> Any:
        answer = self.request("GET", path)
        assert answer.status == 200, answer
        return answer.json()

    def stream(
        self,
        path: str,
        body: Any = None,
        *,
        method: str = "POST",
        headers: Mapping[str, str] | None = None,
        receive_buffer: int | None = None,
    ) -> Stream:
        """Open an event stream (or get its refusal) over a socket of its own."""
        content, own = self._prepared(body, headers)
        length = str(len(content or b""))
        own = {"Host": f"127.0.0.1:{self.server.port}", "Content-Length": length, **own}
        lines = [f"{method} {path} HTTP/1.1", *(f"{k}: {v}" for k, v in own.items())]
        head = "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n"
        return Stream(self.server.connect(receive_buffer=receive_buffer), head + (content or b""))

    def converse(self, agent: str = "assistant") -> str:
        """A new conversation; its id."""
        answer = self.request("POST", API, {"agent": agent})
        assert answer.status == 201, answer
        return str(answer.json()["id"])

    def say(self, conversation: str, content: Any, **fields: Any) -> Stream:
        body = {"content": content, "clientRequestId": str(uuid.uuid4()), **fields}
        return self.stream(f"{API}{conversation}/stream", body)

    def submit(self, conversation: str, form_id: str, values: Any, **fields: Any) -> Stream:
        body = {"values": values, "clientRequestId": str(uuid.uuid4()), **fields}
        return self.stream(f"{API}{conversation}/forms/{form_id}/submit/stream", body)

    def follow(
        self, conversation: str, run_id: str, after: int | None = None, **options: Any
    ) -> Stream:
        headers = {} if after is None else {"Last-Event-ID": str(after)}
        path = f"{API}{conversation}/runs/{run_id}/events"
        return self.stream(path, method="GET", headers=headers, **options)

    def messages(self, conversation: str) -> list[Any]:
        found: list[Any] = self.get(f"{API}{conversation}/messages/")["results"]
        return found

    def _prepared(
        self, body: Any, headers: Mapping[str, str] | None
    ) -> tuple[bytes | None, dict[str, str]]:
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        own = {**self.headers}
        if content is not None:
            own["Content-Type"] = "application/json"
        if self.cookies:
            own["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
            own["X-CSRFToken"] = self.csrf
        return content, own | dict(headers or {})


FORM = {"Content-Type": "application/x-www-form-urlencoded"}


def wait_until(check: Callable[[], object], seconds: float) -> float:
    """Seconds until the check holds; fails after the time given."""
    start = time.monotonic()
    while not check():
        assert time.monotonic() - start < seconds, "waited in vain"
        time.sleep(0.02)
    return time.monotonic() - start
