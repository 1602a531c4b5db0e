"""The words in which a run is asked for."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol
from uuid import UUID

from apps.accounts.actor import Actor
from apps.conversations.models import Conversation, Message, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """What the user message of the new run says.

    `again`: that message stands already, and `metadata` is that of its new answer.
    """

    text: str
    metadata: Mapping[str, Any] = field(default_factory=dict)
    again: bool = False


class Submission(Protocol):
    """What starts a run: a text that was typed, a form that was filled in, …

    The three are called in this order, inside the transaction of `start_run`: `find` raises
    RefusedError 404 or 409 about the thing submitted to; `content` raises 400; `record` writes
    what must stand together with the run.
    """

    def find(self, conversation: Conversation) -> None: ...

    def content(self) -> Content: ...

    def record(self, run: Run, message: Message | None) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRequest:
    """Who asks for a run in which conversation, and the identity of the request.

    `body_digest` is the sha256 of the canonical body: the same `client_request_id` with another
    digest is refused with 422. `owner` is the host that would take the run at once, empty when
    none has a free slot. `locale` is the language of the page that asks, empty for the person's.
    """

    actor: Actor
    conversation: Conversation
    client_request_id: UUID
    body_digest: str
    trace_id: str
    surface: str = "chat"
    locale: str = ""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    owner: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class StartedRun:
    """The run, new or known; `claimed` when the asking host must drive it now.

    `openings` counts the events that such a run has in the log already.
    """

    run_id: str
    message_id: int
    epoch: int
    claimed: bool
    replayed: bool
    agent_version: str
    gray_hit: bool
    trace_id: str
    openings: int

    @classmethod
    def of(cls, run: Run, *, claimed: bool = False, replayed: bool = True) -> "StartedRun":
        return cls(
            run_id=run.pk,
            message_id=run.message_id,
            epoch=run.epoch,
            claimed=claimed,
            replayed=replayed,
            agent_version=run.agent_version,
            gray_hit=run.gray_hit,
            trace_id=run.trace_id,
            openings=run.openings,
        )
