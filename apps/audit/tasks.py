"""What a worker does for the audit."""

from celery import shared_task

from apps.audit import seals
from apps.audit.services import deliver, sanitizer_rules


@shared_task(name="apps.audit.tasks.seal", ignore_result=True)
def seal() -> None:
    """Hourly: where every chain ends."""
    seals.seal()


@shared_task(name="apps.audit.tasks.deliver_alerts", ignore_result=True)
def deliver_alerts() -> None:
    """Every 10 s: alerts that wait for e-mail or webhook."""
    sanitizer_rules.refresh()
    deliver.deliver_due()
