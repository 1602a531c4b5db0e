"""What every channel says of an alert, and why one may fail."""

from django.utils.translation import gettext as _

from apps.audit.models import Alert
from apps.audit.sanitizer import sanitize

LONGEST_LINE = 200


class DeliveryError(Exception):
    """The other side did not take it; `retry_after` is what it asked for, in seconds."""

    def __init__(self, text: str, *, retry_after: float | None = None) -> None:
        super().__init__(text)
        self.retry_after = retry_after


def key_of(alert: Alert) -> str:
    """The same for every try of this alert, and for no other: a receiver drops what it has."""
    return f"alert-{alert.pk}-{int(alert.first_at.timestamp() * 1_000_000):x}"


def one_line(*words: str) -> str:
    """Without breaks, so that it can be a header."""
    return " ".join(" ".join(words).split())[:LONGEST_LINE]


def subject(alert: Alert) -> str:
    words = (alert.cause, alert.object_kind, alert.object_key)
    return one_line(f"[Steward] {alert.get_severity_display()}:", *map(sanitize, words))


def body(alert: Alert) -> str:
    """Plain text for people."""
    lines = (
        (_("原因"), alert.cause),
        (_("级别"), alert.get_severity_display()),
        (_("对象"), sanitize(f"{alert.object_kind} {alert.object_key}".strip())),
        (_("首次"), alert.first_at.isoformat(timespec="seconds")),
        (_("次数"), str(alert.count)),
        (_("追踪号"), alert.trace_id),
    )
    table = "\n".join(f"{name}: {value}" for name, value in lines if value)
    return f"{table}\n\n{sanitize(alert.detail)}\n"
