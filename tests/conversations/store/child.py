"""What another process does in the tests: it starts runs when it is told to, and says what came.

Each line it reads is an order: `start CONVERSATION REQUEST_ID` or `append CONVERSATION AMOUNT`;
each is answered by one line.
"""

import sys
from uuid import uuid4

import django

django.setup()

from apps.conversations.models import Conversation  # noqa: E402
from apps.lib.problem import RefusedError  # noqa: E402
from tests.conversations.store.support import end, say  # noqa: E402


def start(conversation: Conversation, request_id: str) -> str:
    """Start one run, under a request id of our own if it is `new`; its id, or the refusal."""
    own = str(uuid4()) if request_id == "new" else request_id
    try:
        return say(conversation, "the same", request_id=own).run_id
    except RefusedError as error:
        return error.problem.code


def append(conversation: Conversation, amount: str) -> str:
    """Start that many runs, each as soon as the conversation is free, and end them at once."""
    left = int(amount)
    while left:
        try:
            end(say(conversation), content="answer")
            left -= 1
        except RefusedError:
            continue  # the other process has the conversation
    return "done"


def tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    tell("ready")
    for line in sys.stdin:
        order, conversation_id, argument = line.split()
        one = Conversation.objects.select_related("user", "agent").get(pk=conversation_id)
        tell({"start": start, "append": append}[order](one, argument))
