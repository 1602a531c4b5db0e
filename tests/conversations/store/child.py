"""What another process does in the tests: it starts runs when it is told to, and says what came."""

import sys
from uuid import uuid4

import django

django.setup()

from apps.conversations.models import Conversation  # noqa: E402
from apps.lib.problem import RefusedError  # noqa: E402
from tests.conversations.store.support import end, say  # noqa: E402


def tell(word: str) -> None:
    sys.stdout.write(f"{word}\n")
    sys.stdout.flush()


def meet() -> str:
    """Wait at the barrier: a line each way."""
    tell("ready")
    return sys.stdin.readline().strip()


def race(conversation_id: str, rounds: str) -> None:
    """In every round start one run under the id that the barrier hands out."""
    conversation = Conversation.objects.select_related("user", "agent").get(pk=conversation_id)
    for _ in range(int(rounds)):
        request_id = meet()
        try:
            started = say(conversation, "the same", request_id=request_id or str(uuid4()))
            tell(started.run_id)
        except RefusedError as error:
            tell(error.problem.code)


def append(conversation_id: str, amount: str) -> None:
    """Start that many runs, each as soon as the conversation is free, and end them at once."""
    conversation = Conversation.objects.select_related("user", "agent").get(pk=conversation_id)
    meet()
    left = int(amount)
    while left:
        try:
            end(say(conversation), content="answer")
            left -= 1
        except RefusedError:
            continue  # the other process has the conversation
    tell("done")


if __name__ == "__main__":
    {"race": race, "append": append}[sys.argv[1]](*sys.argv[2:])
