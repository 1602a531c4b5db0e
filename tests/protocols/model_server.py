"""A model of our own behind the Chat Completions wire: it does what the last user message says.

`count N SECONDS` says N words, `long N SECONDS` N of a thousand letters, `hold` waits in
mid-answer until it is released, `fail` breaks off, `form` calls render_form, anything else is
answered in one word.
"""

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

FORM = {
    "title": "新增学生",
    "fields": [
        {"name": "name", "label": "姓名", "type": "text", "required": True},
        {"name": "age", "label": "年龄", "type": "number", "min": 3, "max": 18},
    ],
}


class ModelServer(ThreadingHTTPServer):
    """Serves until closed; `release` lets all held answers go on."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Answering)
        self.release = threading.Event()
        self.hung_up = threading.Event()
        self.requests = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class _Answering(BaseHTTPRequestHandler):
    """One request: a streamed answer, a chunk a write."""

    protocol_version = "HTTP/1.1"
    server: ModelServer

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.requests += 1
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()
        try:
            for choice in self._choices(body["messages"]):
                self._event(json.dumps(choice))
            self._event("[DONE]")
            self.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.server.hung_up.set()
            self.close_connection = True

    def _choices(self, messages: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
        said = [message for message in messages if message["role"] == "user"][-1]["content"]
        if said.startswith("form") and messages[-1]["role"] != "tool":
            function = {"name": "render_form", "arguments": json.dumps(FORM)}
            call = {"index": 0, "id": "call_1", "type": "function", "function": function}
            yield _chunk({"role": "assistant", "tool_calls": [call]})
            yield _chunk({}, finish="tool_calls")
            return
        for word in self._words(said):
            yield _chunk({"role": "assistant", "content": word})
        yield _chunk({}, finish="stop")

    def _words(self, said: str) -> Iterator[str]:
        if said.startswith("count"):
            _, number, seconds = said.split()
            for place in range(int(number)):
                yield f"词{place} "
                time.sleep(float(seconds))
        elif said.startswith("long"):
            _, number, seconds = said.split()
            for _place in range(int(number)):
                yield f"{'x' * 999} "
                time.sleep(float(seconds))
        elif said.startswith("hold"):
            yield "held "
            self.server.release.wait(60)
            yield "released"
        elif said.startswith("fail"):
            yield "Par"
            raise ConnectionAbortedError
        else:
            yield "好"

    def _event(self, data: str) -> None:
        line = f"data: {data}\n\n".encode()
        self.wfile.write(b"%x\r\n%b\r\n" % (len(line), line))

    def log_message(self, format: str, *args: object) -> None:
        """Silent: what it is asked, the tests know."""


def _chunk(delta: dict[str, Any], finish: str | None = None) -> dict[str, Any]:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    return {
        "id": "c",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "m",
        "choices": [choice],
    }


@contextmanager
def model_server() -> Iterator[ModelServer]:
    server = ModelServer()
    thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.release.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
