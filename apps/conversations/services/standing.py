"""How a conversation stands: what somebody who opens it must know at once."""

from dataclasses import dataclass

from apps.accounts.actor import Actor
from apps.conversations.models import Conversation, Run
from apps.conversations.services.admission import usable_conversation
from apps.conversations.services.pinning import pinned_snapshot
from apps.lib.problem import RefusedError


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """The newest run, if there is one, and the version that answers now."""

    newest: Run | None
    agent_version: str | None

    @property
    def active(self) -> Run | None:
        """The run that is open: there is one at most, and it is the newest."""
        return self.newest if self.newest is not None and self.newest.status in Run.OPEN else None

    @property
    def message_id(self) -> int:
        """The answer of the newest run: later runs have a higher one."""
        return self.newest.message_id if self.newest is not None else 0


def standing_of(actor: Actor, conversation_id: str) -> Standing:
    """RefusedError 404 for a conversation that is not one's own, 403 without the right to it."""
    conversation = usable_conversation(actor, conversation_id)
    newest = Run.objects.filter(conversation_id=conversation.pk).order_by("-message_id").first()
    version = _version(actor, conversation)
    return Standing(newest=newest, agent_version=version)


def _version(actor: Actor, conversation: Conversation) -> str | None:
    """Of what would answer now; None when nothing would."""
    try:
        return pinned_snapshot(actor, conversation).version_label
    except RefusedError:
        return None
