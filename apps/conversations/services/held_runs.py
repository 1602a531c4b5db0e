"""Whether anybody drives a run, or will, for those who clean up behind runs."""

from collections.abc import Mapping, Sequence

from django.db.models import Q
from django.db.models.functions import Now

from apps.conversations.models import Run


def held_runs(run_ids: Sequence[str]) -> Mapping[str, bool]:
    """By run: whether it is open, and its lease good by the database's clock if it runs.

    Runs without a row are left out.
    """
    runs = Run.objects.filter(pk__in=run_ids)
    lost = Q(status=Run.Status.RUNNING, lease_until__lt=Now())
    held = set(runs.filter(status__in=Run.OPEN).exclude(lost).values_list("pk", flat=True))
    return {pk: pk in held for pk in runs.values_list("pk", flat=True)}
