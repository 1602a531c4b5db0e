"""Removes what was said: calls, forms, messages, blocks, runs and events, at once and for good.

The audit keeps its rows with digests and redacted arguments. What it still waits for is written
first, in the same transaction, since afterwards nobody knows it any more.
"""

from collections.abc import Collection
from datetime import timedelta

from django.db.models import Exists, OuterRef
from django.utils.translation import gettext as _

from apps.audit.models import AuditEntry
from apps.conversations.models import Conversation, Run
from apps.lib.clock import now
from apps.tools import after
from apps.tools.models import ToolRun
from apps.tools.wiring import close_open_calls

BEFORE = AuditEntry.Phase.BEFORE
SETTLED = timedelta(minutes=10)
"""After which a call of a run that is gone has ended, whoever made it."""


def erase(conversation_ids: Collection[str]) -> int:
    """In the caller's transaction; how many conversations were still there."""
    _take_hold(conversation_ids)
    calls = ToolRun.objects.filter(conversation_id__in=conversation_ids)
    for run_id in sorted(set(calls.values_list("run_id", flat=True))):
        close_open_calls(run_id, _("会话已删除，此调用没有完成"))
    opened = AuditEntry.objects.filter(audit_id=OuterRef("audit_id"), phase=BEFORE)
    after.write_now(calls.filter(Exists(opened)))
    calls.delete()
    _all, by_model = Conversation.objects.filter(pk__in=conversation_ids).delete()
    return by_model.get(Conversation._meta.label, 0)


def remove_strays() -> int:
    """Calls that were being opened while their conversation was deleted; how many went."""
    there = Conversation.objects.filter(pk=OuterRef("conversation_id"))
    strays = ToolRun.objects.filter(~Exists(there), created_at__lt=now() - SETTLED)
    closed = strays.exclude(audit_state=ToolRun.AuditState.OPEN).exclude(conversation_id="")
    return closed.delete()[0]


def _take_hold(conversation_ids: Collection[str]) -> None:
    """Nobody starts a run, and no host writes to one, until the rows are gone.

    In this order, and the first lock the weaker kind: a host that writes holds its run's row and
    then refers to the conversation.
    """
    rows = Conversation.objects.filter(pk__in=conversation_ids).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))
    runs = Run.objects.filter(conversation_id__in=conversation_ids).order_by("pk")
    list(runs.select_for_update().values_list("pk"))
