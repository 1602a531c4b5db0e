"""Raises alerts, and lets people acknowledge and resolve them.

Cause, kind and key of the object are what makes two alerts the same. Until it is resolved, the same
again counts up, keeps the worst severity and shows the newest detail; it is sent once, when it is
first raised. Nothing here sends: a delivery is a row of the same transaction.
"""

from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.models import Alert, AlertDelivery
from apps.audit.sanitizer import sanitize
from apps.audit.services import config_log
from apps.lib import clock
from apps.lib.problem import Problem, RefusedError
from apps.runtime.text import clean_text

RIGHT = "audit.operate_audit"
_COLUMNS = (
    "cause", "severity", "object_kind", "object_key", "detail", "state", "count",
    "organisation_id", "trace_id", "first_at", "last_at", "acknowledged_by", "resolved_by",
)  # fmt: skip
_UPSERT = f"""
    INSERT INTO audit_alert ({", ".join(_COLUMNS)})
    VALUES ({", ".join(["%s"] * len(_COLUMNS))})
    ON CONFLICT (cause, object_kind, object_key) WHERE NOT (state = 'resolved') DO UPDATE SET
        count = audit_alert.count + 1,
        severity = CASE
            WHEN excluded.severity = 'critical' OR audit_alert.severity = 'info'
            THEN excluded.severity ELSE audit_alert.severity END,
        detail = excluded.detail, trace_id = excluded.trace_id, last_at = excluded.last_at
    RETURNING *"""  # noqa: S608, names of columns, no values


def raise_alert(
    *,
    cause: str,
    severity: str,
    object_kind: str = "",
    object_key: str = "",
    detail: str = "",
    organisation_id: int | None = None,
    trace_id: str = "",
) -> Alert:
    """The alert as it now stands; one statement decides between processes whether it is new.

    Inside a transaction it stands or falls with it. Without an organisation it concerns them all.
    ValueError for a severity that there is not.
    """
    at = connection.ops.adapt_datetimefield_value(clock.now())
    values = (
        cause, Alert.Severity(severity).value, object_kind, clean_text(object_key)[:128],
        sanitize(clean_text(detail)), Alert.State.OPEN.value, 1,
        organisation_id, trace_id, at, at, "", "",
    )  # fmt: skip
    with transaction.atomic(savepoint=False):
        (alert,) = Alert.objects.raw(_UPSERT, values)
        if alert.count == 1:
            AlertDelivery.objects.bulk_create(
                AlertDelivery(alert=alert, channel=channel, due_at=alert.first_at)
                for channel in _channels()
            )
    return alert


def alerts_of(actor: Actor) -> QuerySet[Alert]:
    """Those that concern the actor's organisation, or all; every one for a superuser.

    RefusedError 403 without the right to operate them.
    """
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(RIGHT):
        text = _("您没有处理告警的权限。")
        raise RefusedError(
            Problem(status=403, code="permission_denied", title=_("没有权限"), detail=text)
        )
    if user.is_superuser:
        return Alert.objects.all()
    return Alert.objects.filter(
        Q(organisation_id=user.organisation_id) | Q(organisation_id__isnull=True)
    )


def acknowledge(*, alert_id: int, actor: Actor, reason: str = "") -> Alert:
    """Somebody sees to it. RefusedError 403, 404, or 409 when it is not open any more."""
    changes = {"acknowledged_at": clock.now(), "acknowledged_by": actor.username}
    return _settle(alert_id, actor, reason, Alert.State.ACKNOWLEDGED, changes)


def resolve(*, alert_id: int, actor: Actor, reason: str = "") -> Alert:
    """It is over; the same from now on is a new alert. RefusedError 403, 404, or 409."""
    changes = {"resolved_at": clock.now(), "resolved_by": actor.username}
    return _settle(alert_id, actor, reason, Alert.State.RESOLVED, changes)


_FROM = {
    Alert.State.ACKNOWLEDGED: (Alert.State.OPEN,),
    Alert.State.RESOLVED: (Alert.State.OPEN, Alert.State.ACKNOWLEDGED),
}
_ACTIONS = {Alert.State.ACKNOWLEDGED: "acknowledge_alert", Alert.State.RESOLVED: "resolve_alert"}


def _settle(
    alert_id: int, actor: Actor, reason: str, state: Alert.State, changes: dict[str, Any]
) -> Alert:
    rows = alerts_of(actor).filter(pk=alert_id)
    with transaction.atomic():
        before = rows.values_list("state", flat=True).first()
        if not rows.filter(state__in=_FROM[state]).update(state=state, **changes):
            raise _conflict() if before else _not_found()
        config_log.record(
            actor=actor,
            action=_ACTIONS[state],
            object_kind="alert",
            object_key=str(alert_id),
            reason=reason,
            before={"state": before},
            after={"state": state.value},
        )
    return rows.get()


def _channels() -> list[str]:
    """Those that this installation has set up."""
    found = []
    if settings.ALERT_EMAIL_TO:
        found.append(AlertDelivery.Channel.EMAIL.value)
    if settings.ALERT_WEBHOOK_URL:
        found.append(AlertDelivery.Channel.WEBHOOK.value)
    return found


def _not_found() -> RefusedError:
    text = _("没有这个告警。")
    return RefusedError(Problem(status=404, code="not_found", title=_("不存在"), detail=text))


def _conflict() -> RefusedError:
    text = _("这个告警已经由别人处理。")
    title = _("现在不能这样做")
    return RefusedError(Problem(status=409, code="state_conflict", title=title, detail=text))
