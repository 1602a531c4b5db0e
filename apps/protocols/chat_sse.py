"""
The chat over server-sent events: send a text, submit a form, ask again, follow a run.

Guarantees: a known request id gets that run's stream from its start; a stream that started a run
ends at the first `run.completed`, a replay at the final one; a client that leaves stops nothing;
a stream is cut when its reader has signed out or lost the right to it.
"""

from typing import ClassVar

from django.conf import settings

from apps.accounts.actor import Actor
from apps.conversations.services.admission import own_conversation, usable_conversation
from apps.conversations.services.starting import StartedRun
from apps.protocols.admission import admitted
from apps.protocols.cursor import cursor_of
from apps.protocols.event_stream import EventStream, OpenStream, StreamRequest
from apps.protocols.followed_run import followed_run
from apps.protocols.run_stream import UntilCompleted, headers_of
from apps.protocols.starting import AGAIN, FORM, TEXT, Asked, Kind, source_of, start


class ChatEvents(EventStream):
    """What the streams of a conversation have in common: who may go on reading."""

    recheck_seconds = settings.RECHECK_SECONDS

    async def recheck(self, request: StreamRequest) -> None:
        """RefusedError once the reader has signed out, or lost conversation or right."""
        place = request.path_argument("conversation_id")
        await admitted(request.scope, lambda actor: usable_conversation(actor, place))


class StartingStream(ChatEvents):
    """A POST that starts a run; a subclass says what is submitted, and to what."""

    kind: ClassVar[Kind]

    def target(self, request: StreamRequest) -> str:
        """What is submitted to, beside the conversation; part of the request's identity."""
        return ""

    async def prepare(self, request: StreamRequest) -> OpenStream:
        asked = Asked(
            kind=self.kind,
            conversation_id=request.path_argument("conversation_id"),
            trace_id=request.trace_id,
            received=request.body,
            target=self.target(request),
        )
        started = await start(request.scope, asked)
        events = UntilCompleted(source_of(request.scope, started.run_id, 0))
        return OpenStream(
            events=events, headers=headers_of(started), recheck=lambda: self.recheck(request)
        )


class ChatStream(StartingStream):
    """POST …/stream: send a text."""

    kind = TEXT


class SubmitStream(StartingStream):
    """POST …/forms/{formId}/submit/stream: submit a form; the path names it, whatever the body."""

    kind = FORM

    def target(self, request: StreamRequest) -> str:
        return request.path_argument("form_id")


class RegenerateStream(StartingStream):
    """POST …/regenerate/stream: another answer in place of the last one."""

    kind = AGAIN


class RunEvents(ChatEvents):
    """GET …/runs/{runId}/events: all of one's own run, from a cursor to its end."""

    method = "GET"

    async def prepare(self, request: StreamRequest) -> OpenStream:
        run, after = await admitted(request.scope, lambda actor: self._find(request, actor))
        events = source_of(request.scope, run.run_id, after)
        return OpenStream(
            events=events, headers=headers_of(run), recheck=lambda: self.recheck(request)
        )

    def _find(self, request: StreamRequest, actor: Actor) -> tuple[StartedRun, int]:
        conversation = own_conversation(actor, request.path_argument("conversation_id"))
        run = followed_run(actor, conversation, request.path_argument("run_id"))
        return run, cursor_of(request.scope)
