"""What a call carried or returned: the audit tells what was done, and keeps no secret."""

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from django.core import serializers
from prometheus_client import generate_latest

from apps.audit.models import Alert, AuditEntry, DeadLetter, SecurityEvent
from apps.audit.redaction.keys import is_secret_key
from apps.runtime.errors import ToolboxError
from apps.runtime.messages import ToolCall
from apps.runtime.steps import Place
from apps.tools import after, records
from apps.tools.bodies import before_body
from apps.tools.models import ToolRun
from tests.tools.conftest import Caller
from tests.tools.ended_calls import left
from tests.tools.services import ProbeTools, raises


def recorded(**arguments: Any) -> Any:
    """The arguments as audit.before tells them."""
    call = ToolCall(id="x", name="probe_write", arguments=arguments)
    return json.loads(before_body(call, Place(0, 0), "local"))["arguments"]


@pytest.mark.case("JOB-011")
def test_a_key_is_masked_and_the_rest_is_readable() -> None:
    told = recorded(api_key="sk-1", note="x", student_id="S-1")
    assert told == {"api_key": "[REDACTED]", "note": "x", "student_id": "S-1"}


@pytest.mark.case("JOB-012")
def test_secrets_are_masked_at_every_depth() -> None:
    told = recorded(
        headers={"Authorization": "Bearer abc"},
        list=[{"cookie": "c1"}],
        private_key="k",
        credential="d",
        密码="p",
        author="Li",
        token_count=5,
        text='{"a": [{"clientSecret": "deep", "n": 1}]}',
    )
    masked = "[REDACTED]"
    assert told["headers"] == {"Authorization": masked}
    assert told["list"] == [{"cookie": masked}]
    assert {told[name] for name in ("private_key", "credential", "密码")} == {masked}
    assert (told["author"], told["token_count"]) == ("Li", 5)
    assert "deep" not in told["text"]
    assert '"n": 1' in told["text"]


@pytest.mark.parametrize(
    ("name", "is_secret"),
    [
        ("password", True), ("userPassword", True), ("db-pwd", True), ("X-Api-Key", True),
        ("access_token", True), ("accessToken", True), ("token", True), ("Set-Cookie", True),
        ("password_hash", True), ("登录密码", True), ("APIKey", True),
        ("author", False), ("token_count", False), ("max_tokens", False), ("tokens", False),
        ("nextPageToken", False), ("key", False), ("primary_key", False), ("secretary", False),
        ("password_policy", False), ("student_id", False), ("", False), ("编号", False),
    ],
)  # fmt: skip
def test_names_say_what_is_secret(name: str, is_secret: bool) -> None:
    assert is_secret_key(name) is is_secret


def stores() -> str:
    """Everything that is kept of calls, as text."""
    models = (AuditEntry, SecurityEvent, ToolRun, DeadLetter, Alert)
    rows = [serializers.serialize("json", model.objects.all()) for model in models]
    return "\n".join([*rows, generate_latest().decode()])


@pytest.mark.case("JOB-013")
@pytest.mark.django_db(transaction=True)
def test_a_secret_in_a_result_is_kept_nowhere(
    call: Caller, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    ProbeTools.body = lambda: {
        "text": "PASSWORD=hunter2 mail a@b.cn",
        "nested": {"login": [{"token": "tok-hidden"}]},
    }
    with caplog.at_level(logging.DEBUG):
        answer = call("probe_read", text="x")
    ToolRun.objects.update(audit_state="open", audit_attempts=4, audit_due_at=None)
    after.write([ToolRun.objects.get().audit_id])
    assert DeadLetter.objects.exists()
    for kept in (stores(), caplog.text, answer.content):
        assert "hunter2" not in kept
        assert "tok-hidden" not in kept


PLACES = {"/home/x/app.py", "accounts_user", "10.0.0.3"}
"""What an auditor may read of an error; keys nobody may."""


@pytest.mark.case("JOB-014")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("api_key=sk-live-1a2b", "sk-live-1a2b"),
        ('{"api_key": "sk-live-1a2b"}', "sk-live-1a2b"),
        ("Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln", "eyJhbGci"),
        ("GET https://x.example/cb?token=abc123def456", "abc123def456"),
        ("postgres://app:hunter2@db/steward", "hunter2"),
        ("No such file: /home/x/app.py", "/home/x/app.py"),
        ("SELECT secret_column FROM accounts_user", "accounts_user"),
        ("connect to 10.0.0.3 failed", "10.0.0.3"),
    ],
)
def test_a_secret_in_an_error_reaches_nobody(call: Caller, text: str, secret: str) -> None:
    ProbeTools.body = raises(RuntimeError(text))
    with pytest.raises(ToolboxError) as raised:
        call("probe_read", text="x")
    after.write_now(ToolRun.objects.all())
    entry = AuditEntry.objects.get(phase="after")
    told = ToolRun.objects.get()
    for shown in (entry.body, told.content, told.error_message, str(raised.value)):
        assert secret not in shown
    assert entry.audit_id in told.error_message  # the number under which the detail is kept
    event = SecurityEvent.objects.get()
    assert event.audit_id == entry.audit_id
    assert (secret in event.detail) is (secret in PLACES)


@pytest.mark.django_db(transaction=True)
def test_a_dead_letter_holds_no_result(call: Caller) -> None:
    run = left(call.session, audit_attempts=4, result='{"phone":"13900000000"}')
    after.write([run.audit_id])
    assert "13900000000" not in DeadLetter.objects.get().payload


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("tool", ["probe_read", "probe_write"])
def test_a_long_result_is_kept_whole(call: Caller, tool: str) -> None:
    text = "".join(f"row{number};" for number in range(60_000))
    ProbeTools.body = lambda: {"rows": text}
    answer = call(tool, text="x")
    assert len(answer.content) < 25_000
    assert answer.result is not None
    assert answer.result["truncated"] is True
    run = ToolRun.objects.get()
    assert records.answer_of(run) == answer
    assert json.loads(run.result) == {"rows": text}
