"""What machines ask: health, readiness, metrics; and what every answer carries."""

import json

import pytest
from django.db import connection
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import User
from apps.lib.secret import Secret

TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"


def test_alive_asks_nobody(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "alive"}


@pytest.mark.django_db
def test_ready_when_all_is_there(client: Client) -> None:
    assert client.get("/readyz").json() == {"status": "ready"}


@pytest.mark.django_db
def test_a_lost_trigger_is_told(client: Client) -> None:
    on = " ON audit_auditentry" if connection.vendor == "postgresql" else ""
    with connection.cursor() as cursor:
        cursor.execute(f"DROP TRIGGER audit_auditentry_no_update{on}")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["reasons"] == ["trigger missing: audit_auditentry_no_update"]


@pytest.mark.django_db
def test_a_missing_migration_is_told(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE app = 'students'")
    assert client.get("/readyz").json()["reasons"] == ["migrations pending"]


@pytest.mark.django_db
def test_metrics_are_for_the_token_and_staff(
    client: Client, settings: Settings, operator: User
) -> None:
    assert client.get("/metrics", headers={"authorization": "Bearer "}).status_code == 401
    settings.METRICS_TOKEN = Secret("scrape")
    good = client.get("/metrics", headers={"authorization": "Bearer scrape"})
    assert b"python_info" in good.content
    assert client.get("/metrics", headers={"authorization": "Bearer wrong"}).status_code == 401
    client.force_login(operator)
    assert client.get("/metrics").status_code == 200


def test_every_answer_is_closed_to_foreign_content(client: Client) -> None:
    for path in ("/healthz", "/accounts/login/", "/nothing", "/api/nothing"):
        headers = client.get(path).headers
        assert headers["Content-Security-Policy"].startswith("default-src 'self';")
        assert "unsafe" not in headers["Content-Security-Policy"]
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert headers["X-Frame-Options"] == "DENY"
        assert headers["Referrer-Policy"] == "same-origin"


@pytest.mark.django_db
def test_our_pages_need_no_inline_script_or_style(client: Client, operator: User) -> None:
    pages = [client.get("/accounts/login/").content.decode()]
    client.force_login(operator)
    pages += [client.get(path).content.decode() for path in ("/", "/nothing", "/api/docs/")]
    for page in pages:
        assert "<style" not in page
        assert " style=" not in page
        assert " onclick=" not in page
        assert page.count("<script") == page.count("<script src=")


def test_the_callers_trace_is_carried_on(client: Client) -> None:
    answer = client.get("/api/nothing", headers={"traceparent": TRACEPARENT})
    assert answer["X-Trace-Id"] == "0af7651916cd43dd8448eb211c80319c"
    assert answer.json()["trace_id"] == answer["X-Trace-Id"]
    assert client.get("/healthz")["X-Trace-Id"] != client.get("/healthz")["X-Trace-Id"]


@pytest.mark.parametrize("path", ["/api/a%00b", "/api/x?after=%00", "/a%00b"])
def test_nul_in_an_address_is_refused(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 400
    if path.startswith("/api/"):
        assert json.loads(answer.content)["code"] == "malformed"


def test_people_get_a_page_and_programs_a_problem(client: Client) -> None:
    assert client.get("/nothing")["Content-Type"].startswith("text/html")
    assert client.get("/api/nothing")["Content-Type"] == "application/problem+json"


def test_a_fault_says_only_its_number(
    client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    def fail(*_args: object) -> None:
        raise RuntimeError("password=hunter2")

    monkeypatch.setattr("apps.accounts.api.sign_in", lambda **_named: fail())
    client.raise_request_exception = False
    body = {"username": "a", "password": "b"}
    answer = client.post("/api/auth/token/", body, content_type="application/json")
    assert answer.status_code == 500
    assert "hunter2" not in answer.content.decode()
    assert answer.json()["code"] == "internal_error"
    assert answer.json()["trace_id"] == answer["X-Trace-Id"]
