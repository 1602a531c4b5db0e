"""What a conversation is made of."""

from apps.conversations.models.conversation import Conversation, ConversationQuerySet
from apps.conversations.models.events import EventBatch
from apps.conversations.models.messages import Block, Message
from apps.conversations.models.runs import Run, RunLimit

__all__ = [
    "Block",
    "Conversation",
    "ConversationQuerySet",
    "EventBatch",
    "Message",
    "Run",
    "RunLimit",
]
