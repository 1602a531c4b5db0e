"""audit.after for those who delete or look at tool runs."""

from datetime import timedelta

from django.db import transaction
from django.utils.translation import gettext as _

from apps.tools import after
from apps.tools.endings import LIVE
from apps.tools.models import ToolRun
from apps.tools.settling import close_call
from apps.tools.sweep import Swept, sweep


def close_for(conversation_id: str) -> int:
    """Before its tool runs are deleted, in the same transaction: end what is open, write the rest.

    How many after-rows that were. It raises what keeps one from being written, and nothing may be
    deleted then.
    """
    with transaction.atomic():
        runs = ToolRun.objects.filter(conversation_id=conversation_id)
        for run in runs.filter(status__in=LIVE).order_by("pk"):
            close_call(run, _("对话已删除，此调用没有完成"))
        return after.write_now(runs)


def write_open() -> Swept:
    """Close and write, here and now, whatever is open and due: without broker and worker."""
    return sweep(after.write, whole=True, handed=timedelta())
