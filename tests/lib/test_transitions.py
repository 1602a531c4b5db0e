"""One conditional update per change of state, also between processes."""

import subprocess
from collections.abc import Iterator

import pytest

from apps.lib.transitions import StateConflictError, transition
from tests.lib.stateful import Lamp, lamps
from tests.lib.support import child, finish

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 20


@pytest.fixture(autouse=True)
def _table(transactional_db: None) -> Iterator[None]:
    with lamps():
        yield


def test_transition_moves_row_and_object() -> None:
    run = transition(Lamp.objects.create(id=1, state="queued"), "running", owner="a")
    assert (run.state, run.version, run.owner) == ("running", 1, "a")
    stored = Lamp.objects.get(pk=1)
    assert (stored.state, stored.version, stored.owner) == ("running", 1, "a")


def test_second_reader_of_a_row_conflicts() -> None:
    Lamp.objects.create(id=1, state="queued")
    first, second = Lamp.objects.get(pk=1), Lamp.objects.get(pk=1)
    transition(first, "running")
    with pytest.raises(StateConflictError) as caught:
        transition(second, "cancelled")
    assert (caught.value.status, caught.value.actual) == (409, "running")
    assert second.state == "queued"


def test_same_state_with_new_version_conflicts() -> None:
    stale = Lamp.objects.create(id=1, state="running")
    transition(Lamp.objects.get(pk=1), "running", owner="b")
    with pytest.raises(StateConflictError):
        transition(stale, "completed")


def test_vanished_row_conflicts_without_a_state() -> None:
    run = Lamp.objects.create(id=1, state="queued")
    Lamp.objects.all().delete()
    with pytest.raises(StateConflictError) as caught:
        transition(run, "running")
    assert caught.value.actual is None


def meet(racers: list[subprocess.Popen[str]]) -> None:
    """A barrier: wait until both are ready, then let both go."""
    for racer in racers:
        assert racer.stdout is not None
        while racer.stdout.readline().strip() != "ready":
            pass
    for racer in racers:
        assert racer.stdin is not None
        racer.stdin.write("go\n")
        racer.stdin.flush()


def test_two_processes_race_and_one_wins() -> None:
    Lamp.objects.bulk_create(Lamp(id=n, state="waiting") for n in range(1, ROUNDS + 1))
    targets = ("completed", "cancelled")
    racers = [child("race", target, str(ROUNDS)) for target in targets]
    for _ in range(ROUNDS):
        meet(racers)
    finish(racers)
    ends = list(Lamp.objects.values_list("state", "version"))
    assert {version for _, version in ends} == {1}
    assert {state for state, _ in ends} <= set(targets)
