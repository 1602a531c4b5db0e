"""Stop a run: at once where nobody drives it, else by asking its host."""

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations.history import parts_by_run, said_by
from apps.conversations.models import EventBatch, Message, Run
from apps.conversations.refusals import not_found
from apps.conversations.services.admission import own_conversation
from apps.conversations.stream.closing import cancelled_events
from apps.conversations.stream.events import Batch
from apps.lib.clock import now
from apps.lib.markdown import render_markdown
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
        run = runs.select_for_update().first()
        if run is None:
            raise not_found(_("没有这个运行。"))
        if run.status in RESTING and _cancel(run):
            return StopAnswer(status=Run.Status.CANCELLED, ended=True)
        if runs.filter(status=Run.Status.RUNNING).update(cancel_requested=True):
            return StopAnswer(status="stopping", ended=False)
        return StopAnswer(status=run.status, ended=True)


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
    _end_message(run)
    _log_end(run)
    return True


def _end_message(run: Run) -> None:
    content = said_by(parts_by_run([run.pk]).get(run.pk, []))
    Message.objects.filter(pk=run.message_id).update(
        status=Message.Status.CANCELLED, content=content, html=render_markdown(content)
    )


def _log_end(run: Run) -> None:
    opened = EventBatch.objects.filter(run_id=run.pk).exists()
    batch = Batch.of(cancelled_events(run, opened=opened))
    EventBatch.objects.create(
        run_id=run.pk, first=batch.first, last=batch.last, payload=batch.payload.decode()
    )
