"""How the tests ask for runs, and what they look at."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Barrier
from typing import Any, TypeVar
from uuid import UUID, uuid4

from django.db import connection
from django.utils import translation

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.agents.services.publish import publish_agent
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run, RunLimit
from apps.conversations.services.start_run import start_run
from apps.conversations.services.starting import Content, RunRequest, StartedRun
from apps.conversations.services.text import TextSubmission
from apps.conversations.step_payload import PARTIAL_KEY, partial_payload, payload_of, step_key
from apps.lib.canonical import canonical_json, digest
from apps.lib.clock import now
from apps.lib.problem import Problem, RefusedError
from apps.runtime.messages import ToolCall, Usage
from apps.runtime.steps import Step

R = TypeVar("R")


def asked(
    conversation: Conversation, *, body: dict[str, Any], owner: str = "", user: User | None = None
) -> RunRequest:
    return RunRequest(
        actor=Actor.of(user or conversation.user),
        conversation=conversation,
        client_request_id=UUID(body["clientRequestId"]),
        body_digest=digest(canonical_json(body)),
        trace_id="0" * 32,
        owner=owner,
    )


def say(
    conversation: Conversation,
    content: Any = "hello",
    *,
    request_id: str = "",
    owner: str = "",
    **more: Any,
) -> StartedRun:
    """Submit a text as the endpoint does."""
    body = {"content": content, "clientRequestId": request_id or str(uuid4()), **more}
    submission = TextSubmission(data=body, locked_skill_key=conversation.locked_skill_key)
    return start_run(asked(conversation, body=body, owner=owner), submission)


def refusal(act: Callable[[], object]) -> Problem:
    """The problem with which the act is refused; an error when it is not."""
    with translation.override("en"):
        try:
            outcome = act()
        except RefusedError as error:
            return error.problem
    raise AssertionError(f"not refused: {outcome!r}")


def stored() -> dict[str, int]:
    """How much stands in every table that starting a run writes to."""
    tables = (Message, Block, Run, EventBatch, RunLimit)
    return {model.__name__: model._default_manager.count() for model in tables}


def end(started: StartedRun, status: str = "completed", *, content: str = "") -> Run:
    """End a run as its host would."""
    Run.objects.filter(pk=started.run_id).update(status=status, finished_at=now())
    Message.objects.filter(pk=started.message_id).update(status=status, content=content)
    return Run.objects.get(pk=started.run_id)


def step(index: int, text: str, *call_ids: str) -> Step:
    return Step(
        index=index,
        text=text,
        reasoning="",
        calls=tuple(ToolCall(id=one, name="look", arguments={"n": 1}) for one in call_ids),
        finish_reason="stop",
        usage=Usage(prompt=1, completion=1),
    )


def commit(started: StartedRun, *steps: Step) -> None:
    """Commit steps as the journal does."""
    for one in steps:
        _block(started, step_key(one.index), payload_of(one))


def commit_partial(started: StartedRun, text: str) -> None:
    """Keep what was said of a step that never ended, as the host does."""
    _block(started, PARTIAL_KEY, partial_payload(text))


def together(count: int, act: Callable[[int], R]) -> list[R | Exception]:
    """Let `count` threads with connections of their own act at the same moment."""
    barrier = Barrier(count)

    def one(number: int) -> R | Exception:
        try:
            barrier.wait(10)
            return act(number)
        except RefusedError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(one, range(count)))


def codes(outcomes: Sequence[object]) -> list[str]:
    """`started`, or the code of the refusal, sorted."""
    refused = [one.problem.code for one in outcomes if isinstance(one, RefusedError)]
    return sorted(refused + ["started"] * (len(outcomes) - len(refused)))


@dataclass
class Witness:
    """A submission that writes down what it is asked, and refuses where it is told to."""

    refuse_find: RefusedError | None = None
    refuse_content: RefusedError | None = None
    refuse_record: RefusedError | None = None
    text: str = "witnessed"

    def __post_init__(self) -> None:
        self.calls: list[str] = []

    def find(self, conversation: Conversation) -> None:
        self._note("find", self.refuse_find)

    def content(self) -> Content:
        self._note("content", self.refuse_content)
        return Content(text=self.text)

    def record(self, run: Run, message: Message | None) -> None:
        self._note("record", self.refuse_record)

    def _note(self, name: str, refused: RefusedError | None) -> None:
        self.calls.append(name)
        if refused is not None:
            raise refused


def _block(started: StartedRun, key: str, payload: str) -> None:
    run = Run.objects.get(pk=started.run_id)
    Block.objects.create(
        conversation_id=run.conversation_id,
        run_id=run.pk,
        kind=Block.Kind.STEP,
        key=key,
        payload=payload,
        created_at=now(),
    )


def republish(agent: Agent) -> None:
    """The draft as it is now, live as the next version."""
    agent.refresh_from_db()
    root = User.objects.get(is_superuser=True)
    publish_agent(agent=agent, actor=Actor.of(root), note="again")
