"""One alert a cause and object until it is resolved, in whatever process it is raised."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import pytest
from django.db import connection, transaction

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit.models import Alert, AlertDelivery, ConfigAuditLog
from apps.audit.services.alerts import acknowledge, raise_alert, resolve
from apps.lib.problem import RefusedError
from tests import factories

ROOT = Path(__file__).resolve().parents[2]
ROUNDS = 20
Child = subprocess.Popen[str]


def dead_letter(**changes: Any) -> Alert:
    values = {"cause": "dead_letter", "severity": "warning", "object_kind": "audit_after"}
    return raise_alert(**{**values, "object_key": "abc", "detail": "gave up", **changes})


@pytest.fixture
def warden(organisation: Organisation) -> Actor:
    """May operate what the audit raises."""
    user = factories.make_user("warden", organisation, "audit.operate_audit", is_staff=True)
    return Actor.of(user)


@pytest.mark.req("OBS-4")
@pytest.mark.django_db
def test_the_same_again_only_counts_up() -> None:
    first = dead_letter()
    again = dead_letter(detail="gave up once more", trace_id="a" * 32)
    assert (first.pk, first.count, again.count) == (again.pk, 1, 2)
    row = Alert.objects.get()
    assert (row.count, row.detail, row.trace_id) == (2, "gave up once more", "a" * 32)
    assert row.first_at == first.first_at < row.last_at


@pytest.mark.django_db
def test_another_object_or_cause_is_another_alert() -> None:
    dead_letter()
    dead_letter(object_key="xyz")
    dead_letter(cause="chain_broken")
    assert Alert.objects.count() == 3


@pytest.mark.django_db
def test_the_worst_severity_stands() -> None:
    severities = ("warning", "info", "critical", "warning")
    found = [dead_letter(severity=severity).severity for severity in severities]
    assert found == ["warning", "warning", "critical", "critical"]


@pytest.mark.django_db
def test_an_unknown_severity_is_a_fault_of_the_caller() -> None:
    with pytest.raises(ValueError, match="loud"):
        dead_letter(severity="loud")


@pytest.mark.django_db
def test_raised_again_after_it_was_resolved_it_is_new(warden: Actor) -> None:
    old = dead_letter()
    resolve(alert_id=old.pk, actor=warden, reason="mended")
    assert dead_letter().pk != old.pk
    assert list(Alert.objects.order_by("pk").values_list("state", "count")) == [
        ("resolved", 1),
        ("open", 1),
    ]


@pytest.mark.django_db
def test_an_acknowledged_alert_stays_acknowledged_and_counts(warden: Actor) -> None:
    alert = dead_letter()
    acknowledge(alert_id=alert.pk, actor=warden)
    again = dead_letter()
    assert (again.pk, again.state, again.count) == (alert.pk, "acknowledged", 2)


@pytest.mark.django_db
def test_it_stores_no_secret_and_no_unstorable_text() -> None:
    row = dead_letter(
        detail="key sk-abcdefghijklmnopqrstuvwxyz012345\0 \ud800", object_key="k" * 300
    )
    row.refresh_from_db()
    assert "sk-abc" not in row.detail
    assert "\0" not in row.detail
    assert len(row.object_key) == 128


@pytest.mark.req("OBS-4")
@pytest.mark.django_db(transaction=True)
def test_raised_in_a_transaction_it_goes_with_it() -> None:
    with transaction.atomic():
        dead_letter()
        transaction.set_rollback(True)
    assert not Alert.objects.exists()
    with transaction.atomic():
        dead_letter()
        dead_letter()
    assert Alert.objects.get().count == 2


@pytest.mark.django_db
def test_one_statement_decides(settings: Any, django_assert_num_queries: Any) -> None:
    settings.ALERT_EMAIL_TO, settings.ALERT_WEBHOOK_URL = ["ops@example.test"], ""
    with django_assert_num_queries(2):  # the alert, its delivery
        dead_letter()
    with django_assert_num_queries(1):
        dead_letter()


@pytest.mark.req("OBS-4")
@pytest.mark.django_db
def test_only_the_first_is_delivered_to_the_channels_there_are(settings: Any) -> None:
    settings.ALERT_EMAIL_TO = ["ops@example.test"]
    settings.ALERT_WEBHOOK_URL = "https://alerts.example.test/"
    alert = dead_letter()
    dead_letter()
    rows = AlertDelivery.objects.order_by("channel").values_list("alert", "channel", "state")
    assert list(rows) == [(alert.pk, "email", "pending"), (alert.pk, "webhook", "pending")]
    settings.ALERT_EMAIL_TO, settings.ALERT_WEBHOOK_URL = [], ""
    dead_letter(object_key="other")
    assert AlertDelivery.objects.count() == 2


@pytest.mark.req("OBS-4")
@pytest.mark.django_db
def test_one_person_acknowledges_and_resolves_once(warden: Actor) -> None:
    alert = dead_letter()
    acknowledge(alert_id=alert.pk, actor=warden, reason="on it")
    with pytest.raises(RefusedError, match="state_conflict"):
        acknowledge(alert_id=alert.pk, actor=warden)
    resolve(alert_id=alert.pk, actor=warden, reason="mended")
    with pytest.raises(RefusedError, match="state_conflict"):
        resolve(alert_id=alert.pk, actor=warden)
    alert.refresh_from_db()
    assert (alert.state, alert.acknowledged_by, alert.resolved_by) == (
        "resolved",
        "warden",
        "warden",
    )
    assert alert.acknowledged_at is not None
    assert alert.resolved_at is not None
    logged = ConfigAuditLog.objects.order_by("pk").values_list("action", "reason", "object_key")
    assert list(logged) == [
        ("acknowledge_alert", "on it", str(alert.pk)),
        ("resolve_alert", "mended", str(alert.pk)),
    ]


@pytest.mark.django_db
def test_without_the_right_nothing_is_settled(alice: User, organisation: Organisation) -> None:
    reader = factories.make_user("reader", organisation, "audit.view_audit", is_staff=True)
    alert = dead_letter()
    for user in (alice, reader):
        with pytest.raises(RefusedError, match="permission_denied"):
            resolve(alert_id=alert.pk, actor=Actor.of(user))
    assert Alert.objects.get().state == "open"


@pytest.mark.req("MCP-6")
@pytest.mark.django_db
def test_an_alert_of_another_organisation_is_not_there(
    warden: Actor, other_organisation: Organisation
) -> None:
    foreign = dead_letter(organisation_id=other_organisation.pk)
    for alert_id in (foreign.pk, 999_999):
        with pytest.raises(RefusedError, match="not_found"):
            resolve(alert_id=alert_id, actor=warden)
    root = factories.make_user("root", other_organisation, is_superuser=True)
    resolve(alert_id=foreign.pk, actor=Actor.of(root))


@pytest.mark.req("OBS-4")
@pytest.mark.django_db(transaction=True)
def test_two_processes_raise_one_alert() -> None:
    with ExitStack() as stack:
        pair = [stack.enter_context(_child()) for _ in range(2)]
        assert [_line(child) for child in pair] == ["ready", "ready"]
        for number in range(ROUNDS):
            for child in pair:
                assert child.stdin is not None
                child.stdin.write(f"{number}\n")
                child.stdin.flush()
            assert len({_line(child) for child in pair}) == 1
    assert list(Alert.objects.values_list("count", flat=True)) == [2] * ROUNDS


@contextmanager
def _child() -> Iterator[Child]:
    environment = {
        **os.environ,
        "DATABASE_URL": _test_database(),
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    command = [sys.executable, "-m", "tests.audit.child"]
    pipe = subprocess.PIPE
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdin=pipe, stdout=pipe, text=True
    ) as process:
        try:
            yield process
        finally:
            process.kill()


def _line(child: Child) -> str:
    assert child.stdout is not None
    return child.stdout.readline().strip()


def _test_database() -> str:
    name = str(connection.settings_dict["NAME"])
    if connection.vendor == "sqlite":
        return f"sqlite:///{name}"
    return urlunsplit(urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{name}"))
