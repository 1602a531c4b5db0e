"""
Starting a run from the wire: one path for every transport and every kind of submission.

Guarantees: the checks come in the order of the contract, and nothing is stored before the last;
a run that this process claimed is driven by it; the sockets of the conversation hear of it at once.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import get_language

from apps.accounts.actor import Actor
from apps.conversations.host.run_host import RunHost
from apps.conversations.models import Conversation
from apps.conversations.services.admission import usable_conversation
from apps.conversations.services.regenerate import parse_regenerate_body
from apps.conversations.services.start_run import start_run
from apps.conversations.services.starting import RunRequest, StartedRun, Submission
from apps.conversations.services.text import parse_text_body
from apps.conversations.stream.following import follow
from apps.conversations.stream.watching import watches
from apps.forms.services.submit import parse_submit_body
from apps.lib.json_body import read_object
from apps.protocols.admission import admitted
from apps.protocols.asgi import Scope
from apps.protocols.event_stream import EventSource
from apps.protocols.request_identity import digest_of, request_id_of

Body = Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A way to start a run: what a body submits, and which members do not make it another one."""

    name: str
    submission: Callable[[Body, Conversation, str], Submission]
    unjudged: frozenset[str] = frozenset()

    def judged(self, body: Body) -> Body:
        """The members that count for the request's identity."""
        return {name: value for name, value in body.items() if name not in self.unjudged}


TEXT = Kind(name="text", submission=lambda body, place, _target: parse_text_body(body, place))
FORM = Kind(
    name="form",
    submission=lambda body, _place, target: parse_submit_body(body, target),
    unjudged=frozenset({"formId"}),
)
AGAIN = Kind(
    name="regenerate", submission=lambda body, _place, _target: parse_regenerate_body(body)
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a client asks to be started.

    `received` gives the body, as bytes where nothing has been read of it, or RefusedError 413.
    """

    kind: Kind
    conversation_id: str
    trace_id: str
    received: Callable[[], Body | bytes]
    target: str = ""
    """What is submitted to, beside the conversation; part of the request's identity."""


async def start(scope: Scope, asked: Asked) -> StartedRun:
    """The new run, or the known one of this request; RefusedError else."""
    host = host_of(scope)
    owner = host.owner if host is not None and host.has_slot() else ""
    started = await admitted(scope, lambda actor: _start(actor, asked, owner))
    if host is not None and started.claimed:
        host.adopt(started)
    elif host is not None and not started.replayed:
        host.kick()
    if not started.replayed:
        watches.tell(asked.conversation_id, started.run_id)
    return started


def host_of(scope: Scope) -> RunHost | None:
    """The host of this process; without one, runs wait for `manage.py run_host`."""
    host = scope.get("host")
    return host if isinstance(host, RunHost) else None


def source_of(scope: Scope, run_id: str, after: int) -> EventSource:
    """The events of a run, live where this process drives it."""
    host = host_of(scope)
    return host.follow(run_id, after) if host is not None else follow(run_id, after)


def _start(actor: Actor, asked: Asked, owner: str) -> StartedRun:
    received = asked.received()
    conversation = usable_conversation(actor, asked.conversation_id)
    body = read_object(received) if isinstance(received, bytes) else received
    request = RunRequest(
        actor=actor,
        conversation=conversation,
        client_request_id=request_id_of(body),
        body_digest=digest_of(asked.kind.name, asked.target, asked.kind.judged(body)),
        trace_id=asked.trace_id,
        locale=get_language() or "",
        owner=owner,
    )
    return start_run(request, asked.kind.submission(body, conversation, asked.target))
