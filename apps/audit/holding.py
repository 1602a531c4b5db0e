"""What holds know of conversations, which live above: filled by them in `AppConfig.ready`."""

from collections.abc import Collection
from typing import Protocol


class HeldConversations(Protocol):
    """Answers for conversation ids; of one that is missing there is nothing to say."""

    def organisation_of(self, conversation_id: str) -> int | None: ...

    def runs_of(self, conversation_ids: Collection[str]) -> Collection[str]: ...


_source: list[HeldConversations] = []


def set_held_conversations(source: HeldConversations) -> None:
    _source[:] = [source]


def conversations() -> HeldConversations:
    """LookupError when nobody answers for them: then nothing may be purged."""
    if not _source:
        raise LookupError("nobody answers for conversations")
    return _source[0]
