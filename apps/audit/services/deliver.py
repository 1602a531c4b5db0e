"""Sends the alerts that wait for a channel.

A try is counted, and the next one made due, before anything is sent: a process that dies in between
sends again later, and a message may come twice but is not lost. Each channel has a thread of its
own, so that one which hangs holds up neither the other nor whoever asked. After the last try the
delivery has failed, which is an alert of its own.
"""

import logging
import threading
import time
from collections.abc import Callable
from datetime import timedelta

from django.db import connection, transaction
from django.db.models import QuerySet

from apps.audit.channels import email, webhook
from apps.audit.channels.message import DeliveryError
from apps.audit.models import Alert, AlertDelivery
from apps.audit.sanitizer import sanitize
from apps.audit.services.alerts import raise_alert
from apps.lib import clock

logger = logging.getLogger(__name__)
DELAYS_S = (10, 30, 90, 270, 810, 2430, 3600)
"""Between the tries: eight of them, in two hours."""
TRIES = len(DELAYS_S) + 1
PATIENCE_S = 5.0
"""How long whoever asked waits for channels that hang; they go on by themselves."""
AT_ONCE = 50
ERROR_LIMIT = 500
CHANNELS: dict[str, Callable[[Alert], None]] = {"email": email.send, "webhook": webhook.send}
_busy = {channel: threading.Lock() for channel in CHANNELS}
State = AlertDelivery.State


def deliver_due() -> None:
    """Try all that is due, in the order in which it became so."""
    threads = [
        threading.Thread(target=_work, args=(channel,), name=f"deliver-{channel}", daemon=True)
        for channel in CHANNELS
        if _due(channel).exists()
    ]
    ends = time.monotonic() + PATIENCE_S
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, ends - time.monotonic()))


def _work(channel: str) -> None:
    """What is due in one channel, up to the first that fails: the rest would wait as long."""
    if not _busy[channel].acquire(blocking=False):
        return  # it still hangs from an earlier time
    try:
        for delivery in _due(channel).select_related("alert").order_by("due_at", "pk")[:AT_ONCE]:
            if not _attempt(delivery):
                return
    finally:
        connection.close()
        _busy[channel].release()


def _due(channel: str) -> QuerySet[AlertDelivery]:
    return AlertDelivery.objects.filter(
        channel=channel, state=State.PENDING, due_at__lte=clock.now()
    )


def _attempt(delivery: AlertDelivery) -> bool:
    """False when the channel failed; a delivery that another process took is none of ours."""
    if delivery.attempts >= TRIES:
        _give_up(delivery, "the last try never came back")
        return True
    if not _claim(delivery):
        return True
    try:
        CHANNELS[delivery.channel](delivery.alert)
    except DeliveryError as error:
        _put_off(delivery, error)
        return False
    _pending(delivery).update(state=State.SENT, error="")
    return True


def _claim(delivery: AlertDelivery) -> bool:
    """Count the try and make the next one due; one of all processes succeeds."""
    delay = DELAYS_S[min(delivery.attempts, len(DELAYS_S) - 1)]
    rows = _pending(delivery).filter(attempts=delivery.attempts)
    delivery.attempts += 1
    delivery.due_at = clock.now() + timedelta(seconds=delay)
    return bool(rows.update(attempts=delivery.attempts, due_at=delivery.due_at))


def _put_off(delivery: AlertDelivery, error: DeliveryError) -> None:
    text = sanitize(str(error))[:ERROR_LIMIT]
    logger.warning("alert %s by %s: %s", delivery.alert_id, delivery.channel, text)
    if delivery.attempts >= TRIES:
        _give_up(delivery, text)
        return
    asked = timedelta(seconds=min(error.retry_after or 0.0, DELAYS_S[-1]))
    due_at = max(delivery.due_at, clock.now() + asked)
    _pending(delivery).update(due_at=due_at, error=text)


def _give_up(delivery: AlertDelivery, text: str) -> None:
    """All such failures of a channel are one alert, so they cannot feed each other."""
    with transaction.atomic():
        if _pending(delivery).update(state=State.FAILED, error=text):
            raise_alert(
                cause="alert_channel_failed",
                severity="warning",
                object_kind="alert_channel",
                object_key=delivery.channel,
                detail=text,
            )


def _pending(delivery: AlertDelivery) -> QuerySet[AlertDelivery]:
    return AlertDelivery.objects.filter(pk=delivery.pk, state=State.PENDING)
