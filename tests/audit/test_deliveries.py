"""Alerts reach people by e-mail and webhook; a channel that fails or hangs holds nothing up."""

import base64
import hashlib
import hmac
import json
import threading
import time
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.db.models import F

from apps.audit.channels import email
from apps.audit.channels.webhook import signing_key
from apps.audit.models import Alert, AlertDelivery
from apps.audit.services import deliver
from apps.audit.services.alerts import raise_alert
from apps.audit.tasks import deliver_alerts
from apps.lib import clock
from apps.lib.secret import Secret
from tests.audit.mail_server import MailServer, mail_server
from tests.lib.outside import Outside, outside

pytestmark = pytest.mark.django_db(transaction=True)
TRACE = "0123456789abcdef" * 2


@pytest.fixture
def mail(settings: Any) -> Iterator[MailServer]:
    with mail_server() as server:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", server.port
        settings.EMAIL_HOST_USER = settings.EMAIL_HOST_PASSWORD = ""
        settings.ALERT_EMAIL_TO = ["ops@example.test", "on-call@example.test"]
        yield server
        server.hold.set()
        _join()


@pytest.fixture
def hook(settings: Any) -> Iterator[Outside]:
    with outside() as server:
        settings.ALERT_WEBHOOK_URL = f"http://127.0.0.1:{server.port}/alerts"
        settings.ALERT_WEBHOOK_SECRET = Secret("whsec_" + base64.b64encode(b"k" * 32).decode())
        yield server
        server.hold.set()
        _join()


def _join() -> None:
    """Threads with connections of their own must have ended before the database is emptied."""
    for thread in threading.enumerate():
        if thread.name.startswith("deliver-"):
            thread.join(15)


def dead_letter(**changes: Any) -> Alert:
    values = {"cause": "dead_letter", "severity": "critical", "object_kind": "audit_after"}
    return raise_alert(**{**values, "object_key": "abc", "detail": "gave up", **changes})


def states() -> dict[str, tuple[str, int]]:
    rows = AlertDelivery.objects.values_list("channel", "state", "attempts")
    return {channel: (state, attempts) for channel, state, attempts in rows}


def make_due() -> None:
    AlertDelivery.objects.update(due_at=clock.now() - timedelta(seconds=1))


@pytest.mark.req("OBS-4")
def test_a_mail_tells_what_where_and_how_bad(mail: MailServer) -> None:
    alert = dead_letter(trace_id=TRACE, object_key="a\r\nBcc: mallory@example.test")
    deliver_alerts()
    (message,) = mail.mails
    assert mail.recipients == ["ops@example.test", "on-call@example.test"]
    assert "dead_letter audit_after a Bcc:" in str(message["Subject"])
    assert message["Bcc"] is None
    assert (message["X-Trace-Id"], message["Auto-Submitted"]) == (TRACE, "auto-generated")
    assert f"<alert-{alert.pk}-" in str(message["Message-ID"])
    text = message.get_content()
    assert "gave up" in text
    assert TRACE in text
    assert states() == {"email": ("sent", 1)}


@pytest.mark.req("OBS-4")
def test_a_receiver_can_prove_who_sent_and_when(hook: Outside) -> None:
    alert = dead_letter(trace_id=TRACE, organisation_id=7)
    deliver_alerts()
    (asked,) = hook.asked
    headers = asked.headers
    signed = b".".join(
        (headers["webhook-id"].encode(), headers["webhook-timestamp"].encode(), asked.body)
    )
    digest = hmac.new(b"k" * 32, signed, hashlib.sha256).digest()
    assert headers["webhook-signature"] == "v1," + base64.b64encode(digest).decode()
    assert abs(int(headers["webhook-timestamp"]) - time.time()) < 60
    assert headers["content-type"] == "application/json; charset=utf-8"
    assert headers["x-trace-id"] == TRACE
    assert headers["traceparent"].startswith(f"00-{TRACE}-")
    body = json.loads(asked.body)
    data = body["data"]
    assert body["type"] == "alert.raised"
    assert (data["id"], data["cause"], data["severity"]) == (alert.pk, "dead_letter", "critical")
    assert (data["objectKind"], data["objectKey"]) == ("audit_after", "abc")
    assert (data["organizationId"], data["traceId"], data["count"]) == (7, TRACE, 1)
    assert states() == {"webhook": ("sent", 1)}


def test_without_a_secret_it_is_signed_with_the_installations_own(settings: Any) -> None:
    settings.ALERT_WEBHOOK_SECRET = Secret("")
    own = signing_key()
    settings.SECRET_KEY = "another " * 8
    assert len(own) == 32
    assert signing_key() != own
    settings.ALERT_WEBHOOK_SECRET = Secret("plain words of enough length")
    assert signing_key() == b"plain words of enough length"


@pytest.mark.req("OBS-4")
def test_the_same_alert_is_sent_once(mail: MailServer, hook: Outside) -> None:
    for _ in range(3):
        dead_letter()
        deliver_alerts()
    assert (len(mail.mails), len(hook.asked)) == (1, 1)


def test_what_is_not_committed_is_not_sent(mail: MailServer) -> None:
    with transaction.atomic():
        dead_letter()
        transaction.set_rollback(True)
    deliver_alerts()
    assert mail.mails == []


@pytest.mark.req("OBS-4")
def test_no_secret_leaves_by_any_channel(mail: MailServer, hook: Outside) -> None:
    key = "sk-abcdefghijklmnopqrstuvwxyz012345"
    alert = dead_letter()
    Alert.objects.filter(pk=alert.pk).update(detail=f"key {key}", object_key=key)
    deliver_alerts()
    assert key not in mail.mails[0].get_content()
    assert key not in str(mail.mails[0]["Subject"])
    assert key.encode() not in hook.asked[0].body


@pytest.mark.req("OBS-4")
def test_a_failing_channel_leaves_the_other_alone(mail: MailServer, hook: Outside) -> None:
    hook.status = 500
    dead_letter()
    deliver_alerts()
    assert len(mail.mails) == 1
    assert states() == {"email": ("sent", 1), "webhook": ("pending", 1)}
    assert AlertDelivery.objects.get(channel="webhook").error == "HTTP 500"
    deliver_alerts()  # not due yet
    assert len(hook.asked) == 1
    hook.status = 204
    make_due()
    deliver_alerts()
    assert states()["webhook"] == ("sent", 2)
    first, second = (asked.headers for asked in hook.asked)
    assert first["webhook-id"] == second["webhook-id"]


@pytest.mark.req("OBS-4")
def test_a_hanging_channel_holds_nobody_up(
    mail: MailServer, hook: Outside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deliver, "PATIENCE_S", 0.5)
    mail.mood = "hangs"
    began = time.monotonic()
    dead_letter()
    deliver_alerts()
    assert time.monotonic() - began < 3
    assert len(hook.asked) == 1
    assert states() == {"email": ("pending", 1), "webhook": ("sent", 1)}
    dead_letter(object_key="other")
    make_due()
    began = time.monotonic()
    deliver_alerts()  # the hanging channel is not started a second time
    assert time.monotonic() - began < 3
    assert len(hook.asked) == 2
    assert sum(thread.name == "deliver-email" for thread in threading.enumerate()) == 1
    mail.mood = "well"
    mail.hold.set()
    _join()
    make_due()
    deliver_alerts()
    assert set(AlertDelivery.objects.values_list("state", flat=True)) == {"sent"}
    assert len(mail.mails) == 2


def test_a_mail_server_that_refuses_is_tried_again(mail: MailServer) -> None:
    mail.mood = "refuses"
    dead_letter()
    deliver_alerts()
    delivery = AlertDelivery.objects.get()
    assert (delivery.state, delivery.attempts) == ("pending", 1)
    assert "550" in delivery.error


@pytest.mark.parametrize(("header", "wait"), [("120", 120), ("0", 10), ("soon", 10), ("", 10)])
def test_a_receiver_says_when_to_come_again(hook: Outside, header: str, wait: int) -> None:
    hook.status = 429
    hook.headers = {"Retry-After": header} if header else {}
    dead_letter()
    deliver_alerts()
    left = (AlertDelivery.objects.get().due_at - clock.now()).total_seconds()
    assert wait - 5 < left <= wait


def test_delays_grow_and_the_last_failure_is_an_alert(hook: Outside) -> None:
    hook.status = 500
    dead_letter()
    waits = []
    for _ in range(deliver.TRIES):
        deliver_alerts()
        left = AlertDelivery.objects.get(alert__cause="dead_letter").due_at - clock.now()
        waits.append(round(left.total_seconds(), -1))
        make_due()
    assert waits[:-1] == list(deliver.DELAYS_S)
    assert AlertDelivery.objects.get(alert__cause="dead_letter").state == "failed"
    alert = Alert.objects.get(cause="alert_channel_failed")
    assert (alert.object_key, alert.detail) == ("webhook", "HTTP 500")
    AlertDelivery.objects.filter(alert=alert).update(attempts=deliver.TRIES - 1)
    deliver_alerts()
    alert.refresh_from_db()
    assert (alert.count, AlertDelivery.objects.filter(state="pending").count()) == (2, 0)


def test_a_process_that_died_in_its_last_try_leaves_no_row_open(hook: Outside) -> None:
    dead_letter()
    AlertDelivery.objects.update(attempts=deliver.TRIES)
    deliver_alerts()
    assert AlertDelivery.objects.get(alert__cause="dead_letter").state == "failed"
    deliver_alerts()
    assert hook.asked[0].body.count(b"alert_channel_failed") == 1


def test_who_counts_the_try_first_sends(hook: Outside) -> None:
    dead_letter()
    taken = AlertDelivery.objects.get()
    AlertDelivery.objects.update(attempts=F("attempts") + 1)
    assert deliver._claim(taken) is False


@pytest.mark.req("MCP-5")
def test_a_webhook_is_not_led_inside(hook: Outside, settings: Any) -> None:
    settings.ALERT_WEBHOOK_URL = f"http://127.0.0.1:{hook.port}/redirect/307"
    hook.target = "http://169.254.169.254/"
    dead_letter()
    deliver_alerts()
    assert AlertDelivery.objects.get().error == "HTTP 307"


def test_the_language_of_a_mail_is_the_installations(mail: MailServer, settings: Any) -> None:
    settings.LANGUAGE_CODE = "en"
    alert = dead_letter()
    email.send(alert)
    assert "Critical" in str(mail.mails[0]["Subject"])
