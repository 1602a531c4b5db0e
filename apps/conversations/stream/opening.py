"""The first events of a run: its messages."""

from apps.conversations.models import Message, Run
from apps.conversations.stream.encode import Fact, message_created
from apps.conversations.stream.events import Event, numbered


def opening_events(run: Run, user_message: Message | None, message: Message) -> list[Event]:
    """The messages as they are created, under the run's epoch; a regenerated answer has one."""
    shown = [user_message, message] if user_message else [message]
    return numbered(run.epoch, [_created(one) for one in shown])


def _created(message: Message) -> Fact:
    return message_created(
        message_id=message.pk,
        role=message.role,
        content=message.content,
        metadata=message.metadata,
    )
