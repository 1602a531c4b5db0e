"""How the tests drive the writer, in this process and in others."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import count
from pathlib import Path
from typing import Any

from django.db import connection

from apps.accounts.models import Organisation
from apps.audit import chain
from apps.audit.models import AuditEntry
from apps.lib.writer.rounds import Inserts, Plan, Unit
from apps.lib.writer.writer import Writer

ROOT = Path(__file__).resolve().parents[2]
AT = datetime(2026, 1, 1, tzinfo=UTC)
numbers = count()


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit(Unit[None]):
    """One audit row, the plainest of all units."""

    audit_id: str

    @classmethod
    def write(cls, units: Sequence["Audit"], inserts: Inserts) -> list[None]:
        for unit in units:
            inserts.add(entry(unit.audit_id))
        return [None] * len(units)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rename(Unit[int]):
    """Takes the next number of an organisation's name: read, decide, write, under its lock."""

    code: str

    @classmethod
    def write(cls, units: Sequence["Rename"], inserts: Inserts) -> list[int]:
        codes = {unit.code for unit in units}
        locked = Organisation.objects.select_for_update().filter(code__in=codes).order_by("code")
        rows = {row.code: row for row in locked}
        answers = []
        for unit in units:
            row = rows[unit.code]
            row.name = str(int(row.name) + 1)
            answers.append(int(row.name))
        Organisation.objects.bulk_update(rows.values(), ["name"])
        return answers


def entry(audit_id: str) -> AuditEntry:
    return AuditEntry(
        audit_id=audit_id,
        phase=AuditEntry.Phase.BEFORE,
        at=AT,
        user_id=1,
        username="alice",
        organisation_id=1,
        agent="assistant",
        tool="look",
        run_id="r",
        tool_call_id="c",
        surface="chat",
        trace_id="0" * 32,
        body="{}",
    )


def plan() -> Plan:
    return Plan(kinds=(Rename, Audit), tables={AuditEntry: chain.append})


def audit(audit_id: str | None = None) -> Audit:
    return Audit(audit_id=audit_id or f"a{next(numbers)}")


def write(*units: Unit[Any], using: Plan | None = None, patience: float = 2.0) -> list[Any]:
    """Hand in all units at once; each one's answer, or the exception it met."""

    async def scenario() -> list[Any]:
        loop = asyncio.get_running_loop()
        writer = Writer(using or plan(), loop=loop, patience=patience)
        writer.start()
        answers = asyncio.gather(*map(writer.submit, units), return_exceptions=True)
        try:
            return await answers
        finally:
            await writer.close()

    return asyncio.run(scenario())


def stored() -> set[str]:
    return set(AuditEntry.objects.values_list("audit_id", flat=True))


def database_url() -> str:
    """This test's database, for a process of its own."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    address = f"{settings['HOST']}:{settings['PORT'] or 5432}"
    return f"postgres://{settings['USER']}:{settings['PASSWORD']}@{address}/{settings['NAME']}"


def child(*arguments: str) -> subprocess.Popen[str]:
    """A process of `tests.lib.child` on this test's database."""
    return subprocess.Popen(
        [sys.executable, "-m", "tests.lib.child", *arguments],
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": database_url()},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def finish(children: Sequence[subprocess.Popen[str]], timeout: float = 60) -> list[list[str]]:
    """The lines each child printed."""
    outputs = [process.communicate(timeout=timeout)[0].split() for process in children]
    assert [process.returncode for process in children] == [0] * len(children)
    return outputs
