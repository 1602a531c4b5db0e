"""A mail server on this machine, of as much SMTP as a client speaks."""

import socketserver
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage


class MailServer(socketserver.ThreadingTCPServer):
    """`mails` is what came; `mood` is well, refuses or hangs."""

    daemon_threads = allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Dialogue)
        self.mails: list[EmailMessage] = []
        self.recipients: list[str] = []
        self.mood = "well"
        self.hold = threading.Event()
        self.reached = threading.Event()

    @property
    def port(self) -> int:
        return int(self.server_address[1])


class _Dialogue(socketserver.StreamRequestHandler):
    server: MailServer

    def handle(self) -> None:
        self.server.reached.set()
        if self.server.mood == "hangs":
            self.server.hold.wait(30)
            return
        self._say("220 mail.example")
        while line := self.rfile.readline().decode().strip():
            verb = line.split(" ")[0].upper()
            if verb == "DATA":
                self._take()
            elif verb == "RCPT":
                self._recipient(line)
            else:
                self._say("221 bye" if verb == "QUIT" else "250 ok")
            if verb == "QUIT":
                return

    def _recipient(self, line: str) -> None:
        if self.server.mood == "refuses":
            self._say("550 no such person")
            return
        self.server.recipients.append(line.partition("<")[2].partition(">")[0])
        self._say("250 ok")

    def _take(self) -> None:
        self._say("354 go on")
        lines = []
        while (line := self.rfile.readline()) not in (b".\r\n", b""):
            lines.append(line)
        mail = message_from_bytes(b"".join(lines), policy=policy.default)
        self.server.mails.append(mail)
        self._say("250 taken")

    def _say(self, text: str) -> None:
        self.wfile.write(f"{text}\r\n".encode())


@contextmanager
def mail_server() -> Iterator[MailServer]:
    server = MailServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield server
    finally:
        server.hold.set()
        server.shutdown()
        thread.join()
        server.server_close()
