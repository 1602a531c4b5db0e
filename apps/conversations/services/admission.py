"""Who may reach a conversation, and who may start something in it."""

from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.agents.rights import may
from apps.conversations.models import Conversation
from apps.conversations.refusals import forbidden, not_found

CHAT = "conversations.use_chat"


def own_conversation(actor: Actor, conversation_id: str) -> Conversation:
    """The actor's conversation with its agent; RefusedError 404 for missing and foreign alike."""
    own = Conversation.objects.for_actor(actor).select_related("agent")
    conversation = own.filter(pk=conversation_id).first() if is_id(conversation_id) else None
    if conversation is None:
        raise not_found(_("没有这个会话。"))
    return conversation


def usable_conversation(actor: Actor, conversation_id: str) -> Conversation:
    """One's own, with the right to go on with it; RefusedError 404, then 403."""
    conversation = own_conversation(actor, conversation_id)
    require_use(actor, conversation.agent, conversation.variant)
    return conversation


def is_id(text: str) -> bool:
    """Whether a database may be asked for this id at all: none of ours holds anything else."""
    return text.isascii() and text.isalnum()


def require_chat(actor: Actor) -> None:
    """RefusedError 403 without the right to chat at all."""
    if not User.objects.get(pk=actor.user_id).has_perm(CHAT):
        raise forbidden(_("您没有使用聊天的权限。"))


def require_use(actor: Actor, agent: Agent, variant: str = Conversation.Variant.PUBLISHED) -> None:
    """RefusedError 403 unless the actor may chat, and use the agent (edit it, for its draft)."""
    require_chat(actor)
    draft = variant == Conversation.Variant.DRAFT
    if not may(actor, agent, "edit_agent" if draft else "use_agent"):
        raise forbidden(_("您没有使用这个智能体的权限。"))
