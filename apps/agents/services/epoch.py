"""The number that every change of configuration raises, in the transaction of the change."""

from django.db.models import F

from apps.agents.models import ConfigEpoch

ROW = 1


def raise_epoch() -> None:
    """Tell every process that configuration has changed; takes effect with the commit."""
    if not ConfigEpoch.objects.filter(pk=ROW).update(number=F("number") + 1):
        ConfigEpoch.objects.create(pk=ROW, number=2)


def current_epoch() -> int:
    return ConfigEpoch.objects.values_list("number", flat=True).filter(pk=ROW).first() or 0
