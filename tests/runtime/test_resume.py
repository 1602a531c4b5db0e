"""A run that died anywhere goes on where its record ends, and repeats nothing."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from apps.runtime.events import MessageCompleted
from apps.runtime.scripted_model import Answer, ScriptedModel, call, calls, says
from tests.runtime.support import BodyToolbox, Leg, MemoryJournal, ok, spec

ROOT = Path(__file__).parents[2]
EFFECTS = ["s0c0", "s0c1", "s1c0"]


def run_children(path: Path, *kill_at: int) -> list[str]:
    points = [str(point) for point in kill_at]
    command = [sys.executable, "-m", "tests.runtime.killable_run", str(path), *points]
    done = subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.split()


def column(path: Path, sql: str) -> list[object]:
    with closing(sqlite3.connect(path)) as db:
        return [row[0] for row in db.execute(sql)]


@pytest.mark.fault
@pytest.mark.req("RUN-10")
def test_killed_anywhere_each_effect_happens_once(tmp_path: Path) -> None:
    run_children(tmp_path)
    ended = sorted(tmp_path.glob("*.sqlite3"))
    assert len(ended) > 25
    for path in ended:
        dead = path.with_name(f"{path.name}.dead")
        committed = set(column(dead, "SELECT n FROM step"))
        asked = len(column(dead, "SELECT step FROM asked"))
        assert column(path, "SELECT call FROM effect ORDER BY call") == EFFECTS
        later = column(path, "SELECT step FROM asked ORDER BY rowid")[asked:]
        assert not committed.intersection(later)
        assert column(path, "SELECT content FROM said")[-1] == "Two writes. \n\nAll written. "


@pytest.mark.fault
def test_killed_twice_in_a_row_still_ends_once(tmp_path: Path) -> None:
    path = tmp_path / "twice.sqlite3"
    assert run_children(path, 9, 6, 0) == ["1", "1", "0"]
    assert column(path, "SELECT call FROM effect ORDER BY call") == EFFECTS


def script() -> list[Answer]:
    return [
        calls("f", {"n": 1}, call("f", {"n": 2}), call("gone")),
        calls("f", {"n": 3}),
        says("done"),
    ]


@pytest.mark.case("STR-012")
@pytest.mark.parametrize("steps", range(4))
@pytest.mark.parametrize("answered", range(4))
async def test_record_of_any_length_is_continued(steps: int, answered: int) -> None:
    whole = await run_whole()
    journal = MemoryJournal()
    journal.steps = whole.steps[:steps]
    last = journal.steps[-1].calls if steps else ()
    for index, step in enumerate(journal.steps):
        known = step.calls[:answered] if index == steps - 1 else step.calls
        journal.answers.update({call.id: whole.answers[call.id] for call in known})
    before = set(journal.answers)
    with ScriptedModel(*script()[steps:]) as model:
        toolbox = BodyToolbox(journal, f=ok)
        leg = Leg(model=model, journal=journal, toolbox=toolbox, spec=spec("f"))
        assert (await leg.run()).status == "completed"
    assert not before.intersection(call.id for call in toolbox.ran)
    assert len(journal.steps) == 3
    assert all(call.id in journal.answers for call in last)
    assert isinstance(leg.events[-2], MessageCompleted)
    assert leg.events[-2].content == "done"


async def run_whole() -> MemoryJournal:
    journal = MemoryJournal()
    with ScriptedModel(*script()) as model:
        toolbox = BodyToolbox(journal, f=ok)
        await Leg(model=model, journal=journal, toolbox=toolbox, spec=spec("f")).run()
    return journal
