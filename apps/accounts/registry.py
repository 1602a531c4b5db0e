"""What deleting a person takes with it lives above: filled by it in `AppConfig.ready`."""

from collections.abc import Mapping
from typing import Protocol

from apps.accounts.actor import Actor


class UserDeletion(Protocol):
    """`preview` counts what would go; `delete` raises RefusedError and then changes nothing."""

    def preview(self, *, user_id: int) -> Mapping[str, int]: ...

    def delete(self, *, actor: Actor, user_id: int, reason: str) -> None: ...


_filled: list[UserDeletion] = []


def set_user_deletion(deletion: UserDeletion) -> None:
    _filled[:] = [deletion]


def user_deletion() -> UserDeletion:
    """LookupError when nobody filled it: then no person is deleted."""
    if not _filled:
        raise LookupError("nobody deletes what people said")
    return _filled[0]
