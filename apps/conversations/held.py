"""What legal holds ask of conversations; fills the audit's port."""

from collections.abc import Collection

from apps.conversations.models import Conversation, Run


def organisation_of(conversation_id: str) -> int | None:
    """Its owner's; None for what is no conversation."""
    rows = Conversation.objects.filter(pk=conversation_id)
    return rows.values_list("user__organisation_id", flat=True).first()


def runs_of(conversation_ids: Collection[str]) -> Collection[str]:
    runs = Run.objects.filter(conversation_id__in=conversation_ids)
    return set(runs.values_list("pk", flat=True))
