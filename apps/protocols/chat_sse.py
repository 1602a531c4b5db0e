"""
The chat over server-sent events: send a text, submit a form, follow a run.

Guarantees: the checks come in the order of the contract and nothing is stored before the last;
a known request id gets that run's stream from its start; a stream that started a run ends at the
first `run.completed`, a replay at the final one; a client that leaves stops nothing.
"""

from abc import abstractmethod
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations.host.run_host import RunHost
from apps.conversations.models import Conversation
from apps.conversations.refusals import unavailable
from apps.conversations.services.admission import own_conversation, require_use
from apps.conversations.services.start_run import start_run
from apps.conversations.services.starting import RunRequest, StartedRun, Submission
from apps.conversations.services.text import parse_text_body
from apps.conversations.stream.following import follow
from apps.forms.services.submit import parse_submit_body
from apps.lib import bridge
from apps.lib.json_body import read_object
from apps.protocols.admission import admit
from apps.protocols.asgi import Scope
from apps.protocols.cursor import cursor_of
from apps.protocols.event_stream import EventSource, EventStream, OpenStream, StreamRequest
from apps.protocols.followed_run import followed_run
from apps.protocols.request_identity import digest_of, request_id_of
from apps.protocols.run_stream import UntilCompleted, headers_of

T = TypeVar("T")


class StartingStream(EventStream):
    """A POST that starts a run; a subclass says what is submitted, and to what."""

    kind: ClassVar[str]

    @abstractmethod
    def submission(
        self, body: Mapping[str, Any], conversation: Conversation, target: str
    ) -> Submission:
        """What the body submits; it is judged inside `start_run`, in its turn."""

    def target(self, request: StreamRequest) -> str:
        """What is submitted to, beside the conversation; part of the request's identity."""
        return ""

    async def prepare(self, request: StreamRequest) -> OpenStream:
        host = _host_of(request.scope)
        owner = host.owner if host is not None and host.has_slot() else ""
        started = await _admitted(request.scope, lambda actor: self._start(request, actor, owner))
        if host is not None and started.claimed:
            host.adopt(started)
        elif host is not None and not started.replayed:
            host.kick()
        events = UntilCompleted(_source(host, started.run_id, 0))
        return OpenStream(events=events, headers=headers_of(started))

    def _start(self, request: StreamRequest, actor: Actor, owner: str) -> StartedRun:
        content = request.body()
        conversation = own_conversation(actor, request.path_argument("conversation_id"))
        require_use(actor, conversation.agent, conversation.variant)
        body, target = read_object(content), self.target(request)
        asked = RunRequest(
            actor=actor,
            conversation=conversation,
            client_request_id=request_id_of(body),
            body_digest=digest_of(self.kind, target, self.judged(body)),
            trace_id=request.trace_id,
            owner=owner,
        )
        return start_run(asked, self.submission(body, conversation, target))

    def judged(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The members that count for the request's identity."""
        return body


class ChatStream(StartingStream):
    """POST …/stream: send a text."""

    kind = "text"

    def submission(
        self, body: Mapping[str, Any], conversation: Conversation, target: str
    ) -> Submission:
        return parse_text_body(body, conversation)


class SubmitStream(StartingStream):
    """POST …/forms/{formId}/submit/stream: submit a form; the path names it, whatever the body."""

    kind = "form"

    def submission(
        self, body: Mapping[str, Any], conversation: Conversation, target: str
    ) -> Submission:
        return parse_submit_body(body, target)

    def target(self, request: StreamRequest) -> str:
        return request.path_argument("form_id")

    def judged(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        return {name: value for name, value in body.items() if name != "formId"}


class RunEvents(EventStream):
    """GET …/runs/{runId}/events: all of one's own run, from a cursor to its end."""

    method = "GET"

    async def prepare(self, request: StreamRequest) -> OpenStream:
        run, after = await _admitted(request.scope, lambda actor: self._find(request, actor))
        events = _source(_host_of(request.scope), run.run_id, after)
        return OpenStream(events=events, headers=headers_of(run))

    def _find(self, request: StreamRequest, actor: Actor) -> tuple[StartedRun, int]:
        conversation = own_conversation(actor, request.path_argument("conversation_id"))
        run = followed_run(conversation, request.path_argument("run_id"))
        return run, cursor_of(request.scope)


async def _admitted(scope: Scope, work: Callable[[Actor], T]) -> T:
    try:
        return await bridge.call(admit, scope, work)
    except bridge.LockTimeoutError as error:
        raise unavailable("busy", _("系统繁忙，请稍后再试。")) from error


def _host_of(scope: Scope) -> RunHost | None:
    """The host of this process; without one, runs wait for `manage.py run_host`."""
    host = scope.get("host")
    return host if isinstance(host, RunHost) else None


def _source(host: RunHost | None, run_id: str, after: int) -> EventSource:
    return host.follow(run_id, after) if host is not None else follow(run_id, after)
