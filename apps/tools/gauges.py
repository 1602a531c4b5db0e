"""What is open in the audit, counted when `/metrics` is read."""

import logging
from collections.abc import Iterator

from django.db import DatabaseError
from django.db.models import Min
from prometheus_client import REGISTRY
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from apps.audit.models import DeadLetter
from apps.lib import clock
from apps.tools import after

logger = logging.getLogger(__name__)


class OpenAudit(Collector):
    """The same in every process: the database counts. Without it, nothing rather than zero."""

    def describe(self) -> Iterator[Metric]:
        yield GaugeMetricFamily("agent_dead_letters", "Dead letters nobody has dealt with")
        yield GaugeMetricFamily("agent_audit_open_rows", "Ended calls that lack their audit.after")
        yield GaugeMetricFamily("agent_audit_oldest_open_seconds", "How long the oldest has waited")

    def collect(self) -> Iterator[Metric]:
        try:
            values = _values()
        except DatabaseError:
            logger.warning("the open audit could not be counted", exc_info=True)
            return
        for metric, value in zip(self.describe(), values, strict=True):
            metric.add_sample(metric.name, {}, value)
            yield metric


def register() -> None:
    """Once a process, in `AppConfig.ready`."""
    REGISTRY.register(OpenAudit())


def _values() -> tuple[float, float, float]:
    letters = DeadLetter.objects.filter(state=DeadLetter.State.OPEN).count()
    rows = after.unwritten()
    oldest = rows.aggregate(oldest=Min("finished_at"))["oldest"]
    waited = (clock.now() - oldest).total_seconds() if oldest else 0.0
    return letters, rows.count(), waited
