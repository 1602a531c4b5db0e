"""What leaves the audit: the rows asked for, of one's organisation, in two formats."""

import csv
import io
import json
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit.models import AuditEntry, ConfigAuditLog
from apps.audit.search import Criteria, found, visible_entries
from apps.audit.services import export as exporting
from apps.audit.services.export import export_audit
from apps.lib.problem import RefusedError
from tests import factories
from tests.audit.rows import append, entry, pair

pytestmark = pytest.mark.django_db(transaction=True)
KEYS = ["auditId", "phase", "at", "user", "agent", "tool", "runId", "toolCallId", "outcome"]


def at(day: int, hour: int = 0, minute: int = 0, second: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, minute, second, tzinfo=UTC)


def exported(*arguments: str, first: str = "2026-03-01", last: str = "2026-03-31") -> str:
    out = io.StringIO()
    call_command("export_audit", "--from", first, "--to", last, *arguments, stdout=out)
    return out.getvalue()


def lines(*arguments: str, **days: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in exported(*arguments, **days).splitlines()]


@pytest.mark.req("TOOL-11")
def test_a_call_is_two_lines_with_exactly_these_keys() -> None:
    rows = pair(at=at(2, 10))
    append(*rows)
    before, after = lines()
    assert list(before) == list(after) == KEYS
    assert before == {
        "auditId": rows[0].audit_id,
        "phase": "before",
        "at": "2026-03-02T10:00:00.000000+00:00",
        "user": "alice",
        "agent": "assistant",
        "tool": "create_student",
        "runId": rows[0].run_id,
        "toolCallId": rows[0].tool_call_id,
        "outcome": None,
    }
    assert (after["phase"], after["outcome"]) == ("after", "succeeded")


def test_days_are_whole_and_inclusive() -> None:
    append(*(entry(at=at(*moment)) for moment in [(1, 23, 59, 59), (2,), (3, 23, 59, 59), (4,)]))
    days = [line["at"][8:10] for line in lines(first="2026-03-02", last="2026-03-03")]
    assert days == ["02", "03"]


def test_rows_come_by_time_over_many_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exporting, "PAGE", 3)
    append(*(entry(at=at(9 - n // 4), tool=f"tool_{n:02}") for n in range(20)))
    rows = lines()
    assert len({row["auditId"] for row in rows}) == len(rows) == 20
    assert [row["at"] for row in rows] == sorted(row["at"] for row in rows)


def test_what_a_model_made_up_is_sanitised() -> None:
    append(entry(at=at(2), tool="look /etc/passwd password=hunter2"))
    assert "hunter2" not in exported()
    assert "/etc/passwd" not in exported()


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t", "\r", "\n", " =", "＝"])  # noqa: RUF001
def test_no_cell_begins_a_formula(start: str) -> None:
    append(entry(at=at(2), tool=f'{start}HYPERLINK("x")', username=f"{start}a"))
    rows = list(csv.reader(io.StringIO(exported("--format", "csv"), newline="")))
    assert rows[0] == KEYS
    cells = dict(zip(KEYS, rows[1], strict=True))
    assert cells["tool"].startswith("'") or cells["tool"].startswith("[")
    assert cells["user"].startswith("'")
    assert cells["outcome"] == ""


def test_an_empty_export_still_has_its_header() -> None:
    assert exported() == ""
    assert exported("--format", "csv").strip() == ",".join(KEYS)


def test_an_export_is_written_down() -> None:
    exported("--tool", "create_student")
    told = ConfigAuditLog.objects.get()
    assert (told.action, told.object_kind, told.username) == ("export", "audit", "manage.py")
    assert '"tool":"create_student"' in told.after


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", ""])
def test_what_is_no_day_is_refused(day: str) -> None:
    with pytest.raises(CommandError, match="is no day: write it as"):
        exported(first=day)


# Search ------------------------------------------------------------------------------------------
@pytest.fixture
def auditor(organisation: Organisation) -> User:
    return factories.make_user("auditor", organisation, "audit.view_audit", is_staff=True)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("username", "bob"),
        ("agent", "other"),
        ("tool", "search_students"),
        ("trace_id", "1" * 32),
        ("run_id", "runrunrun01"),
    ],
)
def test_each_criterion_finds_its_rows(name: str, value: Any) -> None:
    append(*pair(at=at(2)), entry(at=at(3), **{name: value}))
    rows = found(AuditEntry.objects.all(), replace(Criteria(), **{name: value}))
    assert [getattr(row, name) for row in rows] == [value]


def test_an_outcome_is_that_of_the_row_after_a_call() -> None:
    append(*pair("failed"), *pair())
    assert found(AuditEntry.objects.all(), Criteria(outcome="failed")).get().phase == "after"


def test_a_time_is_from_and_until() -> None:
    append(*(entry(at=at(day)) for day in (1, 2, 3)))
    rows = found(AuditEntry.objects.all(), Criteria(since=at(2), until=at(3)))
    assert rows.get().at == at(2)


@pytest.mark.req("MCP-6")
def test_an_auditor_exports_one_organisation(auditor: User, carol: User) -> None:
    append(
        entry(at=at(2), organisation_id=auditor.organisation_id),
        entry(at=at(2), organisation_id=carol.organisation_id, username="carol"),
    )
    text = "".join(export_audit(actor=Actor.of(auditor), criteria=Criteria(), kind="jsonl"))
    assert [json.loads(line)["user"] for line in text.splitlines()] == ["alice"]
    assert ConfigAuditLog.objects.get().username == "auditor"
    root = factories.make_user("root", carol.organisation, is_superuser=True)
    assert visible_entries(Actor.of(root)).count() == 2


def test_without_the_right_nothing_is_exported(alice: User) -> None:
    append(entry(organisation_id=alice.organisation_id))
    assert not visible_entries(Actor.of(alice)).exists()
    with pytest.raises(RefusedError) as refused:
        export_audit(actor=Actor.of(alice), criteria=Criteria(), kind="jsonl")
    assert refused.value.problem.status == 403
    assert not ConfigAuditLog.objects.exists()
