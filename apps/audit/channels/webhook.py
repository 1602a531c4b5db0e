"""Alerts to ALERT_WEBHOOK_URL, signed as `Standard Webhooks` says (`docs/operators/alerts.md`).

`webhook-id` is the same for every try, so that a receiver takes an alert once; the signature covers
it, the time of sending and the body, so that nobody alters or replays one.
"""

import base64
import hashlib
import hmac
import json
import secrets
from typing import Any

from django.conf import settings

from apps.audit.channels.message import DeliveryError, key_of
from apps.audit.models import Alert
from apps.audit.sanitizer import sanitize
from apps.lib import clock
from apps.lib.egress import EgressRefusedError, Guard, read_place
from apps.lib.fetch import FetchError, Limits, fetch
from apps.lib.retry_after import seconds_to_wait

LIMITS = Limits(seconds=10.0, size=64_000)
_ENCODED = "whsec_"


def send(alert: Alert) -> None:
    """One POST; any 2xx is taken as received."""
    url = settings.ALERT_WEBHOOK_URL
    if not url:
        raise DeliveryError("ALERT_WEBHOOK_URL is not set")
    body = json.dumps(_payload(alert), ensure_ascii=False).encode()
    headers = _headers(alert, body)
    try:
        found = fetch(
            url, guard=_guard(url), limits=LIMITS, method="POST", headers=headers, content=body
        )
    except (EgressRefusedError, FetchError) as error:
        raise DeliveryError(str(error)) from error
    if not 200 <= found.status < 300:
        wait = seconds_to_wait(found.headers.get("retry-after", ""), now=clock.now())
        raise DeliveryError(f"HTTP {found.status}", retry_after=wait)


def signature(key: bytes, message_id: str, sent_at: str, body: bytes) -> str:
    """What the receiver computes too."""
    signed = b".".join((message_id.encode(), sent_at.encode(), body))
    return "v1," + base64.b64encode(hmac.digest(key, signed, hashlib.sha256)).decode()


def signing_key() -> bytes:
    """Of ALERT_WEBHOOK_SECRET; where it is unset, of this installation's secret."""
    secret: str = settings.ALERT_WEBHOOK_SECRET.reveal()
    if secret.startswith(_ENCODED):
        return base64.b64decode(secret.removeprefix(_ENCODED))
    if secret:
        return secret.encode()
    return hmac.digest(settings.SECRET_KEY.encode(), b"alert webhook", hashlib.sha256)


def _guard(url: str) -> Guard:
    """The environment is trusted, so its own address may be private; metadata never is."""
    return Guard([*settings.EGRESS_ALLOW, read_place(url).allowance])


def _headers(alert: Alert, body: bytes) -> dict[str, str]:
    message_id, sent_at = key_of(alert), str(int(clock.now().timestamp()))
    headers = {
        "Content-Type": "application/json; charset=utf-8",
        "webhook-id": message_id,
        "webhook-timestamp": sent_at,
        "webhook-signature": signature(signing_key(), message_id, sent_at, body),
    }
    if alert.trace_id:
        headers["X-Trace-Id"] = alert.trace_id
        headers["traceparent"] = f"00-{alert.trace_id}-{secrets.token_hex(8)}-01"
    return headers


def _payload(alert: Alert) -> dict[str, Any]:
    return {
        "type": "alert.raised",
        "timestamp": alert.first_at.isoformat(),
        "data": {
            "id": alert.pk,
            "cause": alert.cause,
            "severity": alert.severity,
            "state": alert.state,
            "objectKind": alert.object_kind,
            "objectKey": sanitize(alert.object_key),
            "detail": sanitize(alert.detail),
            "count": alert.count,
            "firstAt": alert.first_at.isoformat(),
            "lastAt": alert.last_at.isoformat(),
            "organizationId": alert.organisation_id,
            "traceId": alert.trace_id,
            "environment": settings.AGENT_ENVIRONMENT,
        },
    }
