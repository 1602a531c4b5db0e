"""What the request class does beside back-pressure: forms are not parsed on the loop."""

import pytest

from tests.protocols.paced import PacedServer


@pytest.mark.parametrize(
    "content_type", ["multipart/form-data", "multipart/form-data; boundary=x", "text/html; \x80"]
)
def test_broken_form_reaches_the_application(paced: PacedServer, content_type: str) -> None:
    head = f"POST /paced HTTP/1.1\r\nHost: x\r\nContent-Type: {content_type}\r\n"
    answer = paced.ask(head.encode("latin-1") + b"Content-Length: 4\r\n\r\nnone")
    assert (answer.status, answer.code) == (401, "not_authenticated")
