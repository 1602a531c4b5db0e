"""Calls as the gateway and crashes leave them, and a database that refuses rows."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

from django.db import connection

from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.lib import clock
from apps.lib.ids import new_id
from apps.runtime.steps import Place
from apps.tools.models import ToolRun
from apps.tools.rows import before_entry, planned_run
from apps.tools.session import ToolSession
from tests.tools.conftest import call_of

LONG_AGO = timedelta(minutes=2)


def left(session: ToolSession, *, status: str = "succeeded", **fields: Any) -> ToolRun:
    """A call in that state, its audit.after open; two minutes old."""
    call, place = call_of("probe_write", text="x"), Place(0, ToolRun.objects.count())
    run, before = planned_run(session, call, place, new_id()), None
    run.created_at = clock.now() - LONG_AGO
    run.status = status
    if status not in ToolRun.OPEN:
        run.ok, run.finished_at = status == "succeeded", run.created_at
        run.result = run.content = '{"status":"success"}' if run.ok else ""
        run.error_message = "" if run.ok else "could not"
    for name, value in fields.items():
        setattr(run, name, value)
    run.save()
    before = before_entry(session, call, place, run.audit_id)
    before.at = run.created_at
    chain.append([before])
    return run


def after_of(run: ToolRun) -> list[str]:
    """The outcomes of its after-rows."""
    rows = AuditEntry.objects.filter(audit_id=run.audit_id, phase="after")
    return list(rows.values_list("outcome", flat=True))


def state_of(run: ToolRun) -> tuple[str, int]:
    run.refresh_from_db()
    return run.audit_state, run.audit_attempts


def make_due(run: ToolRun) -> None:
    """Time passes until its next attempt."""
    ToolRun.objects.filter(pk=run.pk).update(audit_due_at=clock.now())


@contextmanager
def refusing(table: str, condition: str = "") -> Iterator[None]:
    """The database takes no new rows of that table (for which the condition holds)."""
    when = f"WHEN ({condition})" if condition else ""
    head = f"CREATE TRIGGER no_rows BEFORE INSERT ON {table} FOR EACH ROW {when}"
    if connection.vendor == "sqlite":
        make = [f"{head} BEGIN SELECT RAISE(ABORT, 'read-only'); END"]
        drop = ["DROP TRIGGER no_rows"]
    else:
        body = "BEGIN RAISE EXCEPTION 'read-only'; END"
        make = [
            f"CREATE FUNCTION no_rows() RETURNS trigger AS $$ {body} $$ LANGUAGE plpgsql",
            f"{head} EXECUTE FUNCTION no_rows()",
        ]
        drop = [f"DROP TRIGGER no_rows ON {table}", "DROP FUNCTION no_rows()"]
    _run(make)
    try:
        yield
    finally:
        _run(drop)


def _run(statements: list[str]) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
