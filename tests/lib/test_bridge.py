"""The bridge: threads, context, lock waits, connections, and tests that are rolled back."""

import asyncio
import contextvars
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, transaction

from apps.accounts.models import Organisation
from apps.lib import bridge
from apps.lib.bridge import CrossedInRollbackError, LockTimeoutError, call

committed = pytest.mark.django_db(transaction=True)
pytestmark = pytest.mark.usefixtures("organisation")
trace: contextvars.ContextVar[str] = contextvars.ContextVar("trace", default="none")


def name_of(code: str) -> str:
    return Organisation.objects.get(code=code).name


def rename(code: str) -> None:
    with transaction.atomic():
        row = Organisation.objects.select_for_update().get(code=code)
        row.name = "renamed"
        row.save()


@committed
def test_call_returns_what_the_function_returns() -> None:
    assert asyncio.run(call(name_of, code="demo")) == "demo"


@committed
def test_errors_come_through_unchanged() -> None:
    with pytest.raises(Organisation.DoesNotExist):
        asyncio.run(call(name_of, "unheard-of"))


@committed
def test_slow_calls_do_not_queue_behind_each_other() -> None:
    together = threading.Barrier(bridge.THREADS)  # lets nobody through until all have come

    async def scenario() -> None:
        await asyncio.gather(*(call(together.wait, 30) for _ in range(bridge.THREADS)))

    asyncio.run(scenario())


@committed
def test_context_crosses_with_the_call() -> None:
    async def scenario() -> str:
        trace.set("abc")
        return await call(trace.get)

    assert asyncio.run(scenario()) == "abc"


@committed
def test_locked_row_costs_the_timeout_at_most(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bridge, "LOCK_TIMEOUT_MS", 300)
    monkeypatch.setattr(bridge, "_executor", ThreadPoolExecutor(2))
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Organisation.objects.select_for_update().filter(code="demo").update(name="held")
            held.set()
            done.wait(5)
        connection.close()

    async def scenario() -> float:
        begun = time.monotonic()
        with pytest.raises(LockTimeoutError):
            await call(rename, "demo")
        assert await call(name_of, "demo") == "demo"  # readers are not held up
        return time.monotonic() - begun

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(5)
    try:
        assert 0.25 < asyncio.run(scenario()) < 1.5
    finally:
        done.set()
        holder.join()


@pytest.mark.django_db
def test_rolled_back_test_is_refused() -> None:
    with pytest.raises(CrossedInRollbackError, match="transaction=True"):
        asyncio.run(call(name_of, "demo"))


@committed
def test_next_committed_test_may_cross_again() -> None:
    assert asyncio.run(call(name_of, "demo")) == "demo"


@committed
@pytest.mark.skipif(connection.vendor != "postgresql", reason="a pool to give back to")
def test_connection_goes_back_after_each_call() -> None:
    def is_connected() -> bool:
        return connection.connection is not None

    async def scenario() -> list[bool]:
        await asyncio.gather(*(call(name_of, "demo") for _ in range(40)))
        loop = asyncio.get_running_loop()
        jobs = (loop.run_in_executor(bridge._executor, is_connected) for _ in range(40))
        return await asyncio.gather(*jobs)

    assert not any(asyncio.run(scenario()))
