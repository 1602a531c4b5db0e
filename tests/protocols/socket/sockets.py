"""A person's socket at a running server: frames as they come, and what they stand for."""

import json
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from tests.wire_client import Client, Event

ACK_FRAMES, ACK_BYTES = 64, 64 * 1024
PATIENCE_S = 15


class Socket:
    """One open socket; it acknowledges as clients are told to, unless it is `silent`."""

    def __init__(self, connection: ClientConnection, *, silent: bool = False) -> None:
        self.connection = connection
        self.silent = silent
        self.frames: list[dict[str, Any]] = []
        self.events: dict[str, list[Event]] = {}
        self.raw: dict[str, list[str]] = {}
        self._run = ""
        self._count = self._size = 0

    def receive(self, timeout: float = PATIENCE_S) -> dict[str, Any]:
        """The next frame, acknowledged and sorted; a delta belongs to the last delta's run."""
        text = self.connection.recv(timeout=timeout)
        assert isinstance(text, str)
        frame: dict[str, Any] = json.loads(text)
        self.frames.append(frame)
        if "seq" in frame:
            self._take(frame, text)
        return frame

    def hello(self) -> dict[str, Any]:
        frame = self.receive()
        assert frame["event"] == "hello", frame
        data: dict[str, Any] = frame["data"]
        return data

    def send(self, action: str, **members: Any) -> None:
        self.connection.send(json.dumps({"action": action, **members}))

    def say(self, content: Any, **members: Any) -> None:
        self.send("send", **{"content": content, "clientRequestId": str(uuid.uuid4()), **members})

    def until(self, name: str) -> dict[str, Any]:
        """Receive up to the first frame of this event."""
        while (frame := self.receive())["event"] != name:
            pass
        return frame

    def run(self) -> tuple[str, list[Event]]:
        """Receive up to the end of a run: its id and its events."""
        run_id = str(self.until("run.completed")["runId"])
        return run_id, self.events[run_id]

    def refused(self) -> dict[str, Any]:
        frame = self.until("refused")
        assert set(frame) == {"event", "ref", "data"}, frame
        problem = frame["data"]
        assert set(problem) == {"title", "status", "code", "detail", "errors", "trace_id"}
        assert len(problem["trace_id"]) == 32
        assert problem["title"]
        return frame

    def close_code(self, timeout: float = PATIENCE_S) -> int:
        """Receive until the server closes; its code."""
        with suppress(ConnectionClosed):
            while True:
                self.receive(timeout)
        code = self.connection.close_code
        assert code is not None
        return code

    def close(self) -> None:
        self.connection.close()

    def cut(self) -> None:
        """As a network does: no close frame."""
        self.connection.socket.close()

    def _take(self, frame: dict[str, Any], text: str) -> None:
        if frame["event"].endswith(".delta"):
            self._run = frame.get("runId", self._run)
        run_id = frame.get("runId") or self._run
        event = Event(frame["seq"], frame["event"], frame["data"])
        self.events.setdefault(run_id, []).append(event)
        self.raw.setdefault(run_id, []).append(data_of(text))
        self._count, self._size = self._count + 1, self._size + len(text.encode())
        if not self.silent and (self._count >= ACK_FRAMES or self._size >= ACK_BYTES):
            self._count = self._size = 0
            with suppress(ConnectionClosed):  # what was sent before the close is still read
                self.send("ack", runId=run_id, seq=frame["seq"])


def data_of(text: str) -> str:
    """The bytes of the event's data inside a frame, as they came."""
    data = text.split('"data":', 1)[1]
    return (
        data.rsplit(',"runId":', 1)[0]
        if data.endswith('"}') and ',"runId":"' in data
        else data[:-1]
    )


@contextmanager
def socket(
    client: Client,
    conversation: str,
    *,
    silent: bool = False,
    headers: Mapping[str, str | None] | None = None,
    path: str = "",
    receive_buffer: int | None = None,
) -> Iterator[Socket]:
    """Open as the page does: with the person's cookies (or token), from the page's own origin.

    A header of None is left out.
    """
    address = f"127.0.0.1:{client.server.port}"
    named: dict[str, str | None] = dict(client.headers)
    if client.cookies:
        named["Cookie"] = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
        named["Origin"] = f"http://{address}"
    named |= headers or {}
    given = {name: value for name, value in named.items() if value is not None}
    with connect(
        f"ws://{address}{path or f'/ws/chat/{conversation}/'}",
        sock=client.server.connect(receive_buffer=receive_buffer),
        additional_headers=given,
        compression=None,
        max_size=None,
        open_timeout=PATIENCE_S,
        close_timeout=2,
        ping_interval=None,
    ) as connection:
        yield Socket(connection, silent=silent)
