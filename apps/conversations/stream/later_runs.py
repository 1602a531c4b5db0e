"""What has been started in conversations since one looked: one small query while nothing was."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from apps.conversations.models import Conversation, Run


@dataclass(frozen=True, slots=True, kw_only=True)
class Known:
    """How far somebody knows a conversation: its moment, and the message of its newest run."""

    moment: datetime | None
    message_id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A conversation in which something happened; its later runs by message id, oldest first."""

    moment: datetime | None
    runs: tuple[tuple[int, str], ...] = ()
    gone: bool = False


def look(known: Mapping[str, Known]) -> dict[str, Found]:
    """What is new, by conversation; those without news are left out.

    A start touches the conversation's row in the transaction that inserts the run, and holds its
    lock before messages get their ids: in a conversation message ids rise as runs are committed.
    """
    rows = Conversation.objects.filter(pk__in=list(known))
    moments = dict(rows.values_list("pk", "last_message_at"))
    touched = [pk for pk in moments if moments[pk] != known[pk].moment]
    runs = _runs_of(touched, known) if touched else {}
    found = {pk: Found(moment=moments[pk], runs=tuple(runs.get(pk, ()))) for pk in touched}
    return found | {pk: Found(moment=None, gone=True) for pk in known if pk not in moments}


def _runs_of(touched: list[str], known: Mapping[str, Known]) -> dict[str, list[tuple[int, str]]]:
    oldest = min(known[pk].message_id for pk in touched)
    runs = Run.objects.filter(conversation_id__in=touched, message_id__gt=oldest)
    found: dict[str, list[tuple[int, str]]] = {}
    for pk, message_id, run_id in runs.order_by("message_id").values_list(
        "conversation_id", "message_id", "pk"
    ):
        if message_id > known[pk].message_id:
            found.setdefault(pk, []).append((message_id, run_id))
    return found
