"""A wire between browser and server that a test can cut: connections end, new ones are refused."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress


class Wire:
    """Forwards bytes from a port of its own; `cut` and `mend` are for the test."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._open: set[socket.socket] = set()
        self._whole = True
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        with self._lock:
            self._whole = False
            gone, self._open = self._open, set()
        for sock in gone:
            _end(sock)

    def mend(self) -> None:
        with self._lock:
            self._whole = True

    def close(self) -> None:
        self.cut()
        self._listener.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                self._join(self._listener.accept()[0])

    def _join(self, near: socket.socket) -> None:
        with self._lock:
            if not self._whole:
                return near.close()
            try:
                far = socket.create_connection(("127.0.0.1", self._target))
            except OSError:
                return near.close()
            self._open |= {near, far}
        for source, sink in ((near, far), (far, near)):
            threading.Thread(target=self._pump, args=(source, sink), daemon=True).start()
        return None

    def _pump(self, source: socket.socket, sink: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                sink.sendall(data)
        for sock in (source, sink):
            _end(sock)
        with self._lock:
            self._open -= {source, sink}


def _end(sock: socket.socket) -> None:
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)
    sock.close()


@contextmanager
def wire(port: int) -> Iterator[Wire]:
    """A wire to the port, for the block."""
    made = Wire(port)
    try:
        yield made
    finally:
        made.close()
