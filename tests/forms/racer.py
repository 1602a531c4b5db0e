"""A process of its own that submits a form when told to: CONVERSATION FORM NAME.

It writes `ready`, waits for a line, and writes the status with which it was answered.
"""

import sys
from uuid import uuid4

import django

django.setup()

from apps.accounts.actor import Actor  # noqa: E402
from apps.conversations.models import Conversation  # noqa: E402
from apps.conversations.services.start_run import start_run  # noqa: E402
from apps.conversations.services.starting import RunRequest  # noqa: E402
from apps.forms.services.submit import FormSubmission  # noqa: E402
from apps.lib.problem import RefusedError  # noqa: E402


def submit(conversation_id: str, form_id: str, name: str) -> int:
    conversation = Conversation.objects.select_related("user", "agent").get(pk=conversation_id)
    request = RunRequest(
        actor=Actor.of(conversation.user),
        conversation=conversation,
        client_request_id=uuid4(),
        body_digest=name,
        trace_id="0" * 32,
    )
    say("ready")
    sys.stdin.readline()
    try:
        start_run(request, FormSubmission(form_id=form_id, values={"name": name}))
    except RefusedError as error:
        return error.problem.status
    return 200


def say(text: object) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    say(submit(*sys.argv[1:]))
