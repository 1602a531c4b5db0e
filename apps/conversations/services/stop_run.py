"""Stop a run: at once where nobody drives it, else by asking its host."""

from dataclasses import dataclass
from functools import partial

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations import registry
from apps.conversations.history import parts_by_run, said_by
from apps.conversations.host.failing import fail_expired
from apps.conversations.models import EventBatch, Message, Run
from apps.conversations.refusals import not_found
from apps.conversations.services.admission import is_id, own_conversation
from apps.conversations.stream.encode import message_completed, run_completed
from apps.conversations.stream.events import Batch, numbered
from apps.conversations.stream.opening import opening_events
from apps.conversations.units import Fence
from apps.lib.clock import now
from apps.lib.markdown import render_markdown
from apps.runtime.messages import Usage
from apps.tools.wiring import close_open_calls

RESTING = (Run.Status.QUEUED, Run.Status.WAITING)


@dataclass(frozen=True, slots=True, kw_only=True)
class StopAnswer:
    """`stopping` while a host still has to see it, else the status in which the run ended."""

    status: str
    ended: bool


def stop_run(*, actor: Actor, conversation_id: str, run_id: str) -> StopAnswer:
    """Ask for the end of one's own run; RefusedError 404. Asking again changes nothing."""
    conversation = own_conversation(actor, conversation_id)
    with transaction.atomic():
        runs = Run.objects.filter(conversation_id=conversation.pk, pk=run_id)
        run = runs.select_for_update().first() if is_id(run_id) else None
        if run is None:
            raise not_found(_("没有这个运行。"))
        if run.status in RESTING and _cancel(run):
            return StopAnswer(status=Run.Status.CANCELLED, ended=True)
        if fail_expired(Fence(run.pk, run.epoch, run.owner)):
            # Its host is gone: nobody would see the wish.
            return StopAnswer(status=Run.Status.FAILED, ended=True)
        if runs.filter(status=Run.Status.RUNNING).update(cancel_requested=True):
            transaction.on_commit(partial(_hint, run.pk))
            return StopAnswer(status="stopping", ended=False)
        return StopAnswer(status=run.status, ended=True)


def _hint(run_id: str) -> None:
    for tell in registry.stop_hints:
        tell(run_id)


def _cancel(run: Run) -> bool:
    """End a run that no host holds; False when a host has just taken it."""
    held = Run.objects.filter(pk=run.pk, status=run.status, epoch=run.epoch)
    hit = held.update(
        status=Run.Status.CANCELLED,
        epoch=F("epoch") + 1,
        cancel_requested=True,
        owner="",
        lease_until=None,
        finished_at=now(),
    )
    if not hit:
        return False
    close_open_calls(run.pk, "cancelled")
    run.refresh_from_db()
    _log_end(run, _ended_message(run))
    return True


def _ended_message(run: Run) -> Message:
    message = run.message
    message.status = Message.Status.CANCELLED
    message.content = said_by(parts_by_run([run.pk]).get(run.pk, []))
    message.html = render_markdown(message.content)
    message.save(update_fields=["status", "content", "html"])
    return message


def _log_end(run: Run, message: Message) -> None:
    """The last events under the new epoch, and the first ones where nobody has written them."""
    opened = EventBatch.objects.filter(run_id=run.pk).exists()
    opening = [] if opened else opening_events(run, run.user_message, message)
    usage = Usage(prompt=run.prompt_tokens, completion=run.completion_tokens)
    closing = [
        message_completed(
            message_id=message.pk,
            content=message.content,
            html=message.html,
            metadata=message.metadata,
            usage=usage,
        ),
        run_completed(run_id=run.pk, status=run.status, finish_reason=None, usage=usage),
    ]
    batch = Batch.of([*opening, *numbered(run.epoch, closing, after=len(opening))])
    EventBatch.objects.create(
        run_id=run.pk, first=batch.first, last=batch.last, payload=batch.payload.decode()
    )
