"""The run that a client wants to follow."""

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.conversations.models import Conversation, Run
from apps.conversations.refusals import not_found
from apps.conversations.services.admission import require_use
from apps.conversations.services.starting import StartedRun


def followed_run(actor: Actor, conversation: Conversation, run_id: str) -> StartedRun:
    """The run of one's own conversation; RefusedError 404 for missing and foreign alike.

    What is over is history; to go on with an open run needs the right to it (403).
    """
    runs = Run.objects.filter(conversation_id=conversation.pk)
    run = runs.filter(pk=run_id).first() if run_id.isalnum() else None
    if run is None:
        raise not_found(_("没有这个运行。"))
    if run.status in Run.OPEN:
        require_use(actor, conversation.agent, conversation.variant)
    return StartedRun.of(run)
