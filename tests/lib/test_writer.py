"""The writer: rounds, bad units, deadlines, a full queue, a dead thread, a killed process."""

import asyncio
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import pytest
from django.db import IntegrityError, OperationalError, connection, transaction

from apps.accounts.models import Organisation
from apps.lib.writer.job import WriteRefusedError, WriteUnknownError
from apps.lib.writer.rounds import Inserts, Plan, Unit
from apps.lib.writer.writer import Writer
from tests.lib.support import Rename, audit, child, finish, plan, stored, write

pytestmark = pytest.mark.django_db(transaction=True)
release = threading.Event()


@dataclass(frozen=True, slots=True, kw_only=True)
class Block(Unit[str]):
    """Holds the writer until the test lets it go."""

    @classmethod
    def write(cls, units: Sequence["Block"], inserts: Inserts) -> list[str]:
        release.wait(10)
        return ["released"] * len(units)


@dataclass(frozen=True, slots=True, kw_only=True)
class Die(Unit[None]):
    """What no `except Exception` catches."""

    @classmethod
    def write(cls, units: Sequence["Die"], inserts: Inserts) -> list[None]:
        release.wait(10)
        raise SystemExit


@dataclass(frozen=True, slots=True, kw_only=True)
class Disconnect(Unit[None]):
    """Ends the writer's own database session in the middle of a round."""

    @classmethod
    def write(cls, units: Sequence["Disconnect"], inserts: Inserts) -> list[None]:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        return [None] * len(units)


@pytest.fixture(autouse=True)
def _hold() -> None:
    release.clear()


def wide_plan() -> Plan:
    narrow = plan()
    return replace(narrow, kinds=(*narrow.kinds, Block, Die, Disconnect))


async def blocked(**options: Any) -> tuple[Writer, asyncio.Task[Any]]:
    """A writer in the middle of a round."""
    writer = Writer(wide_plan(), loop=asyncio.get_running_loop(), **options)
    writer.start()
    task = asyncio.ensure_future(writer.submit(Block()))
    await asyncio.sleep(0.1)
    return writer, task


def test_one_bad_unit_in_fifty_fails_alone() -> None:
    write(audit("taken"))
    answers = write(*(audit("taken" if number == 25 else f"x{number}") for number in range(50)))
    failures = [answer for answer in answers if answer is not None]
    assert [type(failure) for failure in failures] == [IntegrityError]
    assert isinstance(answers[25], IntegrityError)
    assert len(stored()) == 50


def test_a_round_is_one_transaction(django_assert_num_queries: Any) -> None:
    Organisation.objects.create(code="o", name="0")
    units = [unit for _ in range(5) for unit in (audit(), Rename(code="o"))]
    plan().commit([audit()])  # this thread's chain has begun
    with django_assert_num_queries(6):  # BEGIN, lock, update, chain's head, insert, COMMIT
        plan().commit(units)


def test_units_of_a_round_are_decided_in_order() -> None:
    Organisation.objects.create(code="o", name="0")
    assert write(*(Rename(code="o") for _ in range(100))) == list(range(1, 101))
    assert Organisation.objects.get(code="o").name == "100"


def test_two_processes_never_take_the_same() -> None:
    Organisation.objects.create(code="o", name="0")
    said = finish([child("take_numbers", "o", "50") for _ in range(2)])
    assert sorted(map(int, said[0] + said[1])) == list(range(1, 101))


def test_failed_unit_spares_what_the_others_decided() -> None:
    Organisation.objects.create(code="o", name="0")
    write(audit("taken"))
    answers = write(Rename(code="o"), audit("taken"), Rename(code="o"))
    assert isinstance(answers[1], IntegrityError)
    assert (answers[0], answers[2]) == (1, 2)
    assert Organisation.objects.get(code="o").name == "2"


def test_full_queue_refuses_at_once() -> None:
    async def scenario() -> None:
        writer, task = await blocked(capacity=3)
        waiting = [asyncio.ensure_future(writer.submit(audit())) for _ in range(3)]
        await asyncio.sleep(0)
        with pytest.raises(WriteRefusedError, match="full"):
            await writer.submit(audit("surplus"))
        release.set()
        await asyncio.gather(task, *waiting)
        await writer.close()

    asyncio.run(scenario())
    assert len(stored()) == 3


def test_late_unit_is_never_written() -> None:
    async def scenario() -> None:
        writer, task = await blocked(patience=0.3)
        late = asyncio.ensure_future(writer.submit(audit("late")))
        with pytest.raises(WriteUnknownError):
            await task
        with pytest.raises(WriteRefusedError):
            await late
        release.set()
        await writer.close()

    asyncio.run(scenario())
    assert stored() == set()


def test_cancelled_caller_is_never_written() -> None:
    async def scenario() -> None:
        writer, task = await blocked()
        gone = asyncio.ensure_future(writer.submit(audit("gone")))
        stays = asyncio.ensure_future(writer.submit(audit("stays")))
        await asyncio.sleep(0)
        gone.cancel()
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(task, stays)
        await writer.close()

    asyncio.run(scenario())
    assert stored() == {"stays"}


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_dead_thread_fails_all_who_wait() -> None:
    async def scenario() -> None:
        writer, _ = await blocked()
        units = (Die(), *(audit() for _ in range(20)))
        waiting = [asyncio.ensure_future(writer.submit(unit)) for unit in units]
        await asyncio.sleep(0)
        release.set()
        begun = time.monotonic()
        answers = await asyncio.gather(*waiting, return_exceptions=True)
        assert {type(answer) for answer in answers} == {WriteUnknownError}
        assert time.monotonic() - begun < 1
        assert not writer.ready
        with pytest.raises(WriteRefusedError, match="down"):
            await writer.submit(audit())
        await writer.close()

    asyncio.run(scenario())
    assert stored() == set()


def test_close_writes_what_waits() -> None:
    async def scenario() -> None:
        writer, _ = await blocked()
        waiting = [asyncio.ensure_future(writer.submit(audit())) for _ in range(500)]
        await asyncio.sleep(0)
        closing = asyncio.ensure_future(writer.close())
        release.set()
        assert set(await asyncio.gather(*waiting)) == {None}
        await closing

    asyncio.run(scenario())
    assert len(stored()) == 500


def test_answers_wake_the_loop_once_a_round(monkeypatch: pytest.MonkeyPatch) -> None:
    async def scenario() -> int:
        writer, task = await blocked()
        wakes = 0
        loop = asyncio.get_running_loop()
        original = loop.call_soon_threadsafe

        def counted(*arguments: Any) -> asyncio.Handle:
            nonlocal wakes
            wakes += threading.current_thread().name == "writer"
            return original(*arguments)

        monkeypatch.setattr(loop, "call_soon_threadsafe", counted)
        waiting = [asyncio.ensure_future(writer.submit(audit())) for _ in range(200)]
        await asyncio.sleep(0)
        release.set()
        await asyncio.gather(task, *waiting)
        await writer.close()
        return wakes

    assert asyncio.run(scenario()) == 3  # the blocked round, the full one, the end


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite locks no rows")
def test_row_locked_elsewhere_fails_its_units_only() -> None:
    for code in ("held", "free"):
        Organisation.objects.create(code=code, name="0")
    held, done = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Organisation.objects.select_for_update().get(code="held")
            held.set()
            done.wait(10)
        connection.close()

    thread = threading.Thread(target=hold)
    thread.start()
    held.wait(5)
    answers = write(Rename(code="held"), Rename(code="free"), audit("free"))
    done.set()
    thread.join()
    assert isinstance(answers[0], OperationalError)
    assert answers[1:] == [1, None]


def test_other_threads_write_beside_a_busy_writer() -> None:
    """In the process's own time: what a busy machine takes from both is no wait for the other."""
    waits: list[float] = []
    done = threading.Event()

    def other() -> None:
        while not done.wait(0.01):
            begun = time.process_time()
            Organisation.objects.create(code=f"other{len(waits)}", name="1")
            waits.append(time.process_time() - begun)
        connection.close()

    thread = threading.Thread(target=other)
    thread.start()
    begun = time.process_time()
    assert set(write(*(audit() for _ in range(2000)), patience=60)) == {None}
    took = time.process_time() - begun
    done.set()
    thread.join()
    assert len(waits) >= 6
    assert max(waits) < took * 2 / 3


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no session to lose")
def test_lost_connection_is_unknown_then_heals() -> None:
    async def scenario() -> None:
        writer = Writer(wide_plan(), loop=asyncio.get_running_loop())
        writer.start()
        units = (Disconnect(), audit("with-it"))
        answers = await asyncio.gather(*map(writer.submit, units), return_exceptions=True)
        assert [type(answer) for answer in answers] == [WriteUnknownError] * 2
        await writer.submit(audit("afterwards"))
        await writer.close()

    asyncio.run(scenario())
    assert stored() == {"afterwards"}


def test_killed_process_leaves_nothing_half_written() -> None:
    told: set[str] = set()
    for prefix in "abcde":
        process = child("write_for_ever", prefix)
        assert process.stdout is not None
        lines = [process.stdout.readline().strip() for _ in range(500)]
        process.kill()
        rest = process.communicate()[0].split("\n")[:-1]  # the last line may be cut
        told |= {*lines, *rest}
    assert len(told) >= 2500
    assert told <= stored()
