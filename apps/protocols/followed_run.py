"""The run that a client wants to follow."""

from django.utils.translation import gettext as _

from apps.conversations.models import Conversation, Run
from apps.conversations.refusals import not_found
from apps.conversations.services.starting import StartedRun


def followed_run(conversation: Conversation, run_id: str) -> StartedRun:
    """The run of this conversation; RefusedError 404 for missing and foreign alike."""
    runs = Run.objects.filter(conversation_id=conversation.pk)
    run = runs.filter(pk=run_id).first() if run_id.isalnum() else None
    if run is None:
        raise not_found(_("没有这个运行。"))
    return StartedRun.of(run)
