"""Start a run: the one way in, for typed texts, forms and every protocol."""

from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Case, F, Value, When
from django.utils.translation import gettext as _

from apps.agents.snapshot import Snapshot
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.refusals import conflict, not_found, request_id_conflict
from apps.conversations.services.limits import consume_start
from apps.conversations.services.pinning import pinned_snapshot
from apps.conversations.services.starting import Content, RunRequest, StartedRun, Submission
from apps.conversations.services.switched import require_on
from apps.conversations.stream.events import Batch
from apps.conversations.stream.opening import opening_events
from apps.conversations.units import lease_end
from apps.lib.canonical import canonical_json
from apps.lib.clock import now
from apps.lib.ids import new_id
from apps.lib.problem import RefusedError

TITLE_LENGTH = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class _Opening:
    """The two messages that a new run stands between; both know its id already.

    A regenerated answer has no user message of its own.
    """

    user: Message | None
    assistant: Message


def start_run(request: RunRequest, submission: Submission) -> StartedRun:
    """The new run, or the known one of this request; RefusedError else, and nothing is stored.

    The conversation is the actor's own and his right to the agent has been checked. The checks
    come in the order of the contract; unique constraints decide between processes.
    """
    try:
        with transaction.atomic():
            return _known(request) or _start(request, submission)
    except (IntegrityError, RefusedError):
        # The same request may have been committed elsewhere between our look and our insert, and
        # be itself what stood in the way: the open run, the taken place, the submitted form.
        known = _known(request)
        if known is None:
            raise
        return known


def _known(request: RunRequest) -> StartedRun | None:
    runs = Run.objects.filter(conversation_id=request.conversation.pk)
    run = runs.filter(client_request_id=request.client_request_id).first()
    if run is None:
        return None
    if run.body_digest != request.body_digest:
        raise request_id_conflict()
    return StartedRun.of(run)


def _start(request: RunRequest, submission: Submission) -> StartedRun:
    conversation = request.conversation
    snapshot = pinned_snapshot(request.actor, conversation)
    require_on(request.actor, snapshot)
    consume_start(request.actor)
    submission.find(conversation)
    _require_idle(conversation)
    content = submission.content()
    _touch(conversation, content)
    opening = _insert_messages(conversation, content, snapshot)
    run = _insert_run(request, snapshot, opening)
    if not content.again:
        _insert_block(run, content)
    submission.record(run, opening.user)
    if request.owner:
        _log_opening(run, opening)
    return StartedRun.of(run, claimed=bool(request.owner), replayed=False)


def _require_idle(conversation: Conversation) -> None:
    open_run = Run.objects.filter(conversation_id=conversation.pk, status__in=Run.OPEN).first()
    if open_run is None:
        return
    if open_run.status == Run.Status.WAITING:
        raise conflict("decision_pending", _("上一条消息还在等待决定。"))
    raise _in_progress()


def _in_progress() -> RefusedError:
    return conflict("run_in_progress", _("上一条消息还在处理中。"))


def _insert_messages(conversation: Conversation, content: Content, snapshot: Snapshot) -> _Opening:
    run_id = new_id()
    user = None if content.again else _insert_user_message(conversation, content, run_id)
    assistant = Message.objects.create(
        conversation_id=conversation.pk,
        role=Message.Role.ASSISTANT,
        status=Message.Status.PENDING,
        metadata=dict(content.metadata) if content.again else {},
        run_id=run_id,
        agent_version=snapshot.version_label,
        created_at=now(),
    )
    return _Opening(user=user, assistant=assistant)


def _insert_user_message(conversation: Conversation, content: Content, run_id: str) -> Message:
    return Message.objects.create(
        conversation_id=conversation.pk,
        role=Message.Role.USER,
        content=content.text,
        metadata=dict(content.metadata),
        run_id=run_id,
        created_at=now(),
    )


def _insert_run(request: RunRequest, snapshot: Snapshot, opening: _Opening) -> Run:
    conversation, moment = request.conversation, now()
    run = Run(
        id=opening.assistant.run_id,
        conversation_id=conversation.pk,
        user_id=request.actor.user_id,
        user_message=opening.user,
        message=opening.assistant,
        client_request_id=request.client_request_id,
        body_digest=request.body_digest,
        agent_code=snapshot.agent_code,
        record_id=snapshot.record_id,
        agent_version=snapshot.version_label,
        snapshot_digest=snapshot.digest,
        variant=conversation.variant,
        surface=request.surface,
        locale=request.locale,
        parameters=dict(request.parameters),
        trace_id=request.trace_id,
        created_at=moment,
    )
    if request.owner:
        run.status, run.epoch, run.owner, run.attempts = Run.Status.RUNNING, 1, request.owner, 1
        run.started_at, run.lease_until = moment, lease_end()
    try:
        run.save(force_insert=True)
    except IntegrityError as error:
        raise _in_progress() from error  # the constraint saw a run that we could not
    return run


def _insert_block(run: Run, content: Content) -> None:
    Block.objects.create(
        conversation_id=run.conversation_id,
        run_id=run.pk,
        kind=Block.Kind.USER,
        key="user",
        payload=canonical_json({"content": content.text} | _values(content)),
        created_at=run.created_at,
    )


def _values(content: Content) -> dict[str, Any]:
    """What was filled in, as data: out of the sentence for people it cannot be read for sure."""
    form = content.metadata.get("uiFormSubmission")
    return {"values": form["values"]} if form else {}


def _log_opening(run: Run, opening: _Opening) -> None:
    batch = Batch.of(opening_events(run, opening.user, opening.assistant))
    EventBatch.objects.create(
        run_id=run.pk, first=batch.first, last=batch.last, payload=batch.payload.decode()
    )


def _touch(conversation: Conversation, content: Content) -> None:
    """The row stays locked from here on, so that the messages of two starts never interleave."""
    title = Case(When(title="", then=Value(title_of(content.text))), default=F("title"))
    row = Conversation.objects.filter(pk=conversation.pk)
    if not row.update(last_message_at=now(), title=title):
        raise not_found(_("没有这个会话。"))


def title_of(text: str) -> str:
    """The first words of the first message, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= TITLE_LENGTH else line[: TITLE_LENGTH - 1].rstrip() + "…"
