"""Alerts by e-mail: to ALERT_EMAIL_TO through the server of EMAIL_URL."""

import smtplib

from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import translation

from apps.audit.channels.message import DeliveryError, body, key_of, subject
from apps.audit.models import Alert


def send(alert: Alert) -> None:
    """One mail to all recipients, in the installation's language."""
    with translation.override(settings.LANGUAGE_CODE):
        message = EmailMessage(
            subject=subject(alert),
            body=body(alert),
            to=settings.ALERT_EMAIL_TO,
            headers={
                "Message-ID": f"<{key_of(alert)}@steward>",
                "Auto-Submitted": "auto-generated",
                **({"X-Trace-Id": alert.trace_id} if alert.trace_id else {}),
            },
        )
    if not message.to:
        raise DeliveryError("ALERT_EMAIL_TO is not set")
    try:
        message.send()
    except (smtplib.SMTPException, OSError) as error:
        raise DeliveryError(f"{type(error).__name__}: {error}") from error
