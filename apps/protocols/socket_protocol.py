"""
What daphne's sockets do not do: close with a server's own codes, send more than they accept.

Guarantees: a client that reads late still gets the code of the close; one that never does holds
its socket, and what it was sent, for CLOSING_SECONDS; what comes after the close costs nothing.
"""

from daphne.ws_protocol import WebSocketProtocol

OWN_CODES = range(3000, 5000)
NORMAL = 1000
TEXT, BINARY = 1, 2
CLOSING_SECONDS = 10.0


class ServerSocket(WebSocketProtocol):
    """The limit of a message is for what comes in: an answer may be longer than a question."""

    # At its end the connection is aborted, and what the client has not read yet is lost with it.
    closeHandshakeTimeout = CLOSING_SECONDS  # noqa: N815, autobahn's name

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        if self.state == self.STATE_OPEN:
            super().onMessage(payload, isBinary)

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802, daphne's name
        if code is None or code == NORMAL or code in OWN_CODES:
            super().serverClose(code)
        else:
            # `sendClose` refuses 1008, 1012 and their like, which are a server's to send.
            self.sendCloseFrame(code=code)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802
        if self.state == self.STATE_OPEN:
            payload = content if isinstance(content, bytes) else content.encode()
            self.sendFrame(opcode=BINARY if binary else TEXT, payload=payload)
