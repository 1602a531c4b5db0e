"""Find one's own conversations."""

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce

from apps.accounts.actor import Actor
from apps.conversations.models import Conversation, Message


def find_conversations(*, actor: Actor, text: str = "") -> QuerySet[Conversation]:
    """The actor's own, with their agents, each with `active_at`: when something was last said.

    With a text only those that hold it in their title or in a message, whatever its case.
    """
    active_at = Coalesce("last_message_at", "created_at")
    rows = Conversation.objects.for_actor(actor).select_related("agent")
    if text.strip():
        said = Message.objects.filter(conversation=OuterRef("pk"), content__icontains=text.strip())
        rows = rows.filter(Q(title__icontains=text.strip()) | Exists(said))
    return rows.annotate(active_at=active_at)
