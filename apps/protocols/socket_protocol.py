"""What daphne's sockets do not do: close with a server's own codes, send more than they accept."""

from daphne.ws_protocol import WebSocketProtocol

OWN_CODES = range(3000, 5000)
NORMAL = 1000
TEXT, BINARY = 1, 2


class ServerSocket(WebSocketProtocol):
    """The limit of a message is for what comes in: an answer may be longer than a question."""

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
