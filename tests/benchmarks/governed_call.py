"""What governing a call costs, beside a bare insert with commit in the same run.

    python -m tests.benchmarks.governed_call [CALLS]

prints the cost of each phase of a call alone, the whole of it without the tool's own body (held to
the limit is the part up to the outcome: audit row, quota, policy, confirmation, metric), and what
50 callers at once get through. On SQLite, or on PostgreSQL where DATABASE_URL names one; on
a database of its own, which is made and dropped. Run by hand, on an idle machine; raw output in
`docs/evidence/`.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, TypeVar

os.environ.setdefault("APP_MODE", "test")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
os.environ.setdefault("STEWARD_VAR", tempfile.mkdtemp(prefix="steward-call-"))

import django

django.setup()

from django.db import connection  # noqa: E402
from django.test.utils import setup_databases, teardown_databases  # noqa: E402

from apps.accounts.actor import Actor  # noqa: E402
from apps.audit.models import AuditEntry  # noqa: E402
from apps.lib import clock  # noqa: E402
from apps.lib.ids import new_id  # noqa: E402
from apps.lib.writer.rounds import Plan  # noqa: E402
from apps.lib.writer.writer import Writer  # noqa: E402
from apps.runtime.messages import ToolCall  # noqa: E402
from apps.runtime.ports import Toolbox  # noqa: E402
from apps.runtime.steps import Place  # noqa: E402
from apps.tools import metrics  # noqa: E402
from apps.tools.handover import Handover  # noqa: E402
from apps.tools.models import Quota  # noqa: E402
from apps.tools.registry import AgentContext, agent_tool, catalogue  # noqa: E402
from apps.tools.testing import fake_session, registered  # noqa: E402
from apps.tools.units import KINDS, TABLES  # noqa: E402
from apps.tools.wiring import build_toolbox  # noqa: E402
from tests import factories  # noqa: E402

R = TypeVar("R")
CALLERS, WARM = 50, 30
P50_MS, P99_MS, PER_SECOND, COMMITS = 1.0, 5.0, 1500, 0.1


_beside = ThreadPoolExecutor(1)


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """No arguments at all."""


class Tools:
    """A tool that costs nothing: what is left is what governing costs."""

    @agent_tool("bench_read", "Reads.", Nothing, permission="students.view_student",
                write_action=False)  # fmt: skip
    def read(self, input: Nothing, ctx: AgentContext) -> dict[str, Any]:
        return {"found": 3}


class Phases:
    """The seconds of each phase of one call, as the gateway measures them."""

    def __init__(self) -> None:
        self.seconds: dict[str, list[float]] = {"open": [], "body": [], "close": [], "whole": []}

    def __enter__(self) -> "Phases":
        for name, child in (("open", "OPEN"), ("body", "BODY"), ("close", "CLOSE")):
            setattr(metrics, child, _Watch(getattr(metrics, child), self.seconds[name]))
        return self

    def __exit__(self, *_: object) -> None:
        for child in ("OPEN", "BODY", "CLOSE"):
            setattr(metrics, child, getattr(metrics, child).watched)

    def governed(self) -> list[float]:
        """What stands between a caller and the tool: all but the body and the outcome's commit.

        The outcome of a reading tool is a second commit, which is part of the call, not of the
        decision about it; it is told beside this.
        """
        both = zip(self.overhead(), self.seconds["close"], strict=True)
        return [overhead - close for overhead, close in both]

    def overhead(self) -> list[float]:
        """The whole without the body."""
        both = zip(self.seconds["whole"], self.seconds["body"], strict=True)
        return [whole - body for whole, body in both]


class _Watch:
    def __init__(self, watched: Any, seconds: list[float]) -> None:
        self.watched, self._seconds = watched, seconds

    def observe(self, seconds: float) -> None:
        self._seconds.append(seconds)
        self.watched.observe(seconds)


class Counting(Plan):
    """A plan that counts its commits."""

    commits = 0

    def commit(self, units: Sequence[Any]) -> list[Any]:
        Counting.commits += 1
        return super().commit(units)


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    with database(), registered(Tools):
        say(f"{connection.vendor}{_durability()}, {os.cpu_count()} cores, {count} calls")
        Quota.objects.create(name="all", limit=10**9)
        Quota.objects.create(name="tool", limit=10**9, tool="bench_read", each_user=False)
        say(f"load of the machine over the last minute: {os.getloadavg()[0]:.1f}")
        bare, phases, after = asyncio.run(alone(count))
        report("bare insert with commit", bare)
        for name in ("open", "body", "close"):
            report(f"one call alone, {name}", phases.seconds[name])
        report("hand-over of audit.after", after)
        report("overhead, held to the limit", phases.governed(), bare)
        report("with the outcome's own commit", phases.overhead())
        rate, commits, waits = asyncio.run(together(count * 5))
        report(f"{CALLERS} callers at once, whole call", waits)
        say(f"{CALLERS} callers at once: {rate:.0f} calls/s (limit {PER_SECOND}), ", end="")
        say(f"{commits:.3f} commits a call (limit {COMMITS})")


@contextmanager
def database() -> Iterator[None]:
    made = setup_databases(verbosity=0, interactive=False)
    try:
        yield
    finally:
        _beside.submit(lambda: connection.close()).result()
        connection.close()
        if connection.vendor == "postgresql":
            connection.close_pool()  # type: ignore[attr-defined]
        teardown_databases(made, verbosity=0)


def make_session() -> Any:
    """Somebody with a handful of rights, some from the person, one from a group."""
    organisation = factories.make_organisation(new_id())
    user = factories.make_user(new_id(), organisation, *factories.CHAT, *factories.STUDENTS)
    return fake_session(Actor.of(user), tools=catalogue.all())


def beside(work: Callable[[], R]) -> Awaitable[R]:
    """In a thread with a connection of its own, as everything but the writer."""
    return asyncio.get_running_loop().run_in_executor(_beside, work)


async def alone(count: int) -> tuple[list[float], Phases, list[float]]:
    """One after the other, a bare insert between each two, so that both meet the same machine."""
    session = await beside(make_session)
    bare: list[float] = []
    handed: list[float] = []
    queue = Handover()

    def hand_over(audit_id: str) -> None:
        began = time.perf_counter()
        queue.put(audit_id)
        handed.append(time.perf_counter() - began)

    writer = Writer(Counting(kinds=KINDS, tables=TABLES), loop=asyncio.get_running_loop())
    writer.start()
    toolbox = build_toolbox(session, writer.submit, hand_over)
    for index in range(WARM):
        await one(toolbox, index)
        await beside(bare_insert)
    with Phases() as phases:
        for index in range(WARM, WARM + count):
            bare.append(await beside(lambda: timed(bare_insert)))
            began = time.perf_counter()
            await one(toolbox, index)
            phases.seconds["whole"].append(time.perf_counter() - began)
    await writer.close()
    return bare, phases, handed


async def together(count: int) -> tuple[float, float, list[float]]:
    """Each caller comes with its next call as soon as the last was answered."""
    writer = Writer(
        Counting(kinds=KINDS, tables=TABLES), loop=asyncio.get_running_loop(), patience=30
    )
    writer.start()
    sessions = [await beside(make_session) for _ in range(5)]
    waits: list[float] = []

    async def caller(number: int, calls: int) -> None:
        session = sessions[number % len(sessions)]
        toolbox = build_toolbox(session, writer.submit, lambda _: None)
        for index in range(calls):
            began = time.perf_counter()
            await one(toolbox, number * 100_000 + index)
            waits.append(time.perf_counter() - began)

    await asyncio.gather(*(caller(number, 3) for number in range(CALLERS)))
    waits.clear()
    Counting.commits = 0
    began = time.perf_counter()
    await asyncio.gather(*(caller(number + CALLERS, count // CALLERS) for number in range(CALLERS)))
    seconds = time.perf_counter() - began
    await writer.close()
    return len(waits) / seconds, Counting.commits / len(waits), waits


async def one(toolbox: Toolbox, index: int) -> None:
    call = ToolCall(id=new_id(), name="bench_read", arguments={})
    async for _ in toolbox.call(call, Place(0, index)):
        pass


def bare_insert() -> None:
    """One row of the audit, by the ORM, in a transaction of its own."""
    AuditEntry.objects.create(
        audit_id=new_id(), phase="before", at=clock.now(), user_id=1, username="alice",
        organisation_id=1, agent="a", tool="t", run_id=new_id(), tool_call_id=new_id(),
        surface="chat", trace_id="0" * 32, body="{}", chain=new_id(), position=1,
        previous="0" * 64, digest="0" * 64,
    )  # fmt: skip


def timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def report(name: str, seconds: Sequence[float], bare: Sequence[float] = ()) -> None:
    p50, p99 = spread(seconds)
    limit = ""
    if bare:
        low, high = spread(bare)
        limit = f"  (limit {low + P50_MS:.2f} and {high + P99_MS:.2f})"
    say(f"{name:34} p50 {p50:7.2f} ms  p99 {p99:7.2f} ms{limit}")


def spread(seconds: Sequence[float]) -> tuple[float, float]:
    ordered = sorted(seconds)
    return ordered[len(ordered) // 2] * 1e3, ordered[int(len(ordered) * 0.99)] * 1e3


def _durability() -> str:
    if connection.vendor == "sqlite":
        return " (WAL, synchronous NORMAL)"
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('fsync'), current_setting('synchronous_commit')")
        fsync, commit = cursor.fetchone()
    return f" (fsync {fsync}, synchronous_commit {commit})"


def say(text: str, end: str = "\n") -> None:
    sys.stdout.write(text + end)
    sys.stdout.flush()


if __name__ == "__main__":
    main()
