"""A run over a SQLite file, killed by SIGKILL at its n-th point, then taken up again.

    killable_run.py FOLDER            once for every point of a whole run
    killable_run.py FILE N [N ...]    killed at each of these points in turn; 0 is none

Each process is forked off this one, so that Python starts once. Effect and answer of a call are
one transaction, as for every local write tool.
"""

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncGenerator, Sequence
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

from apps.runtime.events import MessageCompleted, ToolCompleted, ToolEvent, ToolStarted
from apps.runtime.loop import AgentLoop
from apps.runtime.messages import (
    AssistantMessage,
    ModelDelta,
    ModelFinish,
    ModelRequest,
    TextDelta,
    ToolAnswer,
    ToolCall,
    ToolSpec,
    Usage,
    UserMessage,
)
from apps.runtime.steps import AgentSpec, Place, RecordedStep, Step
from apps.runtime.stopping import StopSignal

TABLES = """
CREATE TABLE IF NOT EXISTS step (n INTEGER PRIMARY KEY, text TEXT, calls TEXT);
CREATE TABLE IF NOT EXISTS answer (call TEXT PRIMARY KEY, ok INTEGER, content TEXT);
CREATE TABLE IF NOT EXISTS effect (call TEXT);
CREATE TABLE IF NOT EXISTS asked (step INTEGER);
CREATE TABLE IF NOT EXISTS said (content TEXT);
"""
ANSWERS = [
    ("Two writes.", [("write", {"n": 1}), ("write", {"n": 2})]),
    ("", [("write", {"n": 3}), ("unknown", {})]),
    ("All written.", []),
]


class Killer:
    """Counts the points at which the process may die, and dies at the n-th."""

    def __init__(self, at: int) -> None:
        self._points = count(1)
        self._at = at

    def point(self) -> None:
        if next(self._points) == self._at:
            os.kill(os.getpid(), signal.SIGKILL)


class Run:
    """Journal, toolbox and model of the run, all on one file."""

    def __init__(self, path: str, killer: Killer) -> None:
        self._db = sqlite3.connect(path, isolation_level=None)
        self._db.executescript(TABLES)
        self._point = killer.point

    async def load(self) -> Sequence[RecordedStep]:
        rows = self._db.execute("SELECT call, ok, content FROM answer").fetchall()
        answers = {call: ToolAnswer(ok=bool(ok), content=text) for call, ok, text in rows}
        steps = self._db.execute("SELECT n, text, calls FROM step ORDER BY n").fetchall()
        return [RecordedStep(step=_step(*row), answers=answers) for row in steps]

    async def commit_step(self, step: Step) -> None:
        self._point()
        calls = json.dumps([(call.id, call.name, call.arguments) for call in step.calls])
        self._db.execute("INSERT INTO step VALUES (?, ?, ?)", (step.index, step.text, calls))
        self._point()

    async def settle(self, call: ToolCall, place: Place, answer: ToolAnswer) -> ToolAnswer:
        self._point()
        row = (call.id, answer.ok, answer.content)
        self._db.execute("INSERT OR IGNORE INTO answer VALUES (?, ?, ?)", row)
        self._point()
        found = self._db.execute("SELECT ok, content FROM answer WHERE call = ?", (call.id,))
        ok, content = found.fetchone()
        return ToolAnswer(ok=bool(ok), content=content)

    async def call(self, call: ToolCall, place: Place) -> AsyncGenerator[ToolEvent, None]:
        yield ToolStarted(call=call)
        self._db.execute("BEGIN IMMEDIATE")
        if call.name == "write":
            self._db.execute("INSERT INTO effect VALUES (?)", (call.id,))
        self._point()
        known = ToolAnswer(ok=call.name == "write", content=f"{call.name} {call.id}")
        answer = await self.settle(call, place, known)
        self._db.execute("COMMIT")
        self._point()
        yield ToolCompleted(call=call, answer=answer)

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelDelta, None]:
        step = sum(isinstance(message, AssistantMessage) for message in request.messages)
        self._db.execute("INSERT INTO asked VALUES (?)", (step,))
        text, wanted = ANSWERS[step]
        for word in text.split():
            yield TextDelta(text=f"{word} ")
        calls = [(f"s{step}c{place}", *call) for place, call in enumerate(wanted)]
        yield ModelFinish(reason="stop", calls=_calls(calls))

    async def go(self) -> None:
        tools = (ToolSpec(name="write", description="write", parameters={}),)
        spec = AgentSpec(model="m", tools=tools)
        loop = AgentLoop(spec=spec, model=self, toolbox=self, journal=self)
        async for event in loop.run([UserMessage(content="go")], StopSignal()):
            self._point()
            if isinstance(event, MessageCompleted):
                self._db.execute("INSERT INTO said VALUES (?)", (event.content,))


def _step(number: int, text: str, calls: str) -> Step:
    return Step(
        index=number,
        text=text,
        reasoning="",
        calls=_calls(json.loads(calls)),
        finish_reason="stop",
        usage=Usage(),
    )


def _calls(calls: list[Any]) -> tuple[ToolCall, ...]:
    return tuple(ToolCall(id=id_, name=name, arguments=given) for id_, name, given in calls)


def forked(path: Path, kill_at: int) -> bool:
    """Run in a process of its own; whether it was killed."""
    child = os.fork()
    if not child:
        asyncio.run(Run(str(path), Killer(kill_at)).go())
        os._exit(0)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert status in (0, -signal.SIGKILL), f"the run ended with {status}"
    return status != 0


def killed_everywhere(folder: Path) -> None:
    """Leave `N.sqlite3` and, as the kill left it, `N.dead` for every point N of a run."""
    for point in count(1):
        path = folder / f"{point}.sqlite3"
        if not forked(path, point):
            path.unlink()
            return
        with closing(sqlite3.connect(path)) as db, closing(sqlite3.connect(f"{path}.dead")) as dead:
            db.backup(dead)
        assert not forked(path, 0)


if __name__ == "__main__":
    where = Path(sys.argv[1])
    if len(sys.argv) == 2:
        killed_everywhere(where)
    print(*[int(forked(where, int(point))) for point in sys.argv[2:]])  # noqa: T201
