"""The chat over a socket: hello, the actions, and every later run unasked."""

import pytest

from tests.grammar import check_stream
from tests.protocols.socket.sockets import socket
from tests.wire_client import Client


@pytest.mark.req("RUN-4")
def test_hello_comes_first(alice: Client) -> None:
    with socket(alice, alice.converse()) as chat:
        assert chat.hello() == {"activeRun": None, "agentVersion": "2", "grayHit": False}


@pytest.mark.req("RUN-4")
def test_sent_text_is_answered_as_over_sse(alice: Client) -> None:
    conversation = alice.converse()
    with socket(alice, conversation) as chat:
        chat.hello()
        chat.say("count 5 0.02")
        run_id, events = chat.run()
    check_stream(events)
    assert events == list(alice.follow(conversation, run_id).events())
