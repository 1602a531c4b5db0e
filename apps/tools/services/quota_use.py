"""Counts of windows that are long over."""

from django.db.models import F

from apps.lib import clock
from apps.tools.models import QuotaUse

KEPT_S = 86_400


def forget_windows() -> int:
    """Delete the counts of windows that ended more than a day ago; how many."""
    ended = int(clock.now().timestamp()) - KEPT_S - F("quota__window_s")
    return QuotaUse.objects.filter(window_start__lt=ended).delete()[0]
