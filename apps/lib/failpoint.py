"""Places where a test bed can make a process fail on purpose; their names: `docs/failpoints.md`.

`FAILPOINTS="name=kill,other=raise@3,third=sleep:200"` in `APP_MODE=test` only; elsewhere the
variable is ignored. `@N` acts on the N-th hit alone, without it every hit acts. Each hit of a
named point is appended to `$STEWARD_VAR/failpoints.log` and fsynced before it acts.
"""

import os
import signal
import threading
import time
from collections import Counter
from dataclasses import dataclass
from functools import cache
from pathlib import Path

NAMES = (
    "run.claimed",
    "step.committed",
    "call.opened",
    "call.started",
    "call.committed",
    "form.submitted",
    "run.finishing",
    "flush.committed",
    "after.counted",
    "after.writing",
    "letter.burying",
)


class FailpointError(Exception):
    """Raised by a failpoint set to `raise`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What a named place does: `kill`, `raise` or `sleep` (ms); `only` is the hit that acts."""

    action: str
    ms: int = 0
    only: int = 0


def parse(text: str) -> dict[str, Point]:
    """The points that the variable names; a ValueError says which part is wrong."""
    return dict(_parse_one(part.strip()) for part in text.split(",") if part.strip())


def hit(name: str) -> None:
    """Do here what the test bed asked for; nothing, and at no cost, where none was asked."""
    if point := _points().get(name):
        _act(name, point)


def _parse_one(part: str) -> tuple[str, Point]:
    name, _, rest = part.partition("=")
    action, _, only = rest.partition("@")
    verb, _, ms = action.partition(":")
    known = verb in ("kill", "raise") if not ms else verb == "sleep" and ms.isdigit()
    if not name or not known or (only and not only.isdigit()):
        raise ValueError(f"{part!r} is not name=kill|raise|sleep:MS[@N]")
    if name not in NAMES:
        raise ValueError(f"{name!r} is the name of no failpoint")
    return name, Point(action=verb, ms=int(ms or 0), only=int(only or 0))


def _act(name: str, point: Point) -> None:
    with _lock:
        _hits[name] += 1
        count = _hits[name]
        _log(name, count)
    if point.only and count != point.only:
        return
    if point.action == "kill":
        os.kill(os.getpid(), signal.SIGKILL)
    elif point.action == "raise":
        raise FailpointError(name)
    else:
        time.sleep(point.ms / 1000)


def _log(name: str, count: int) -> None:
    path = Path(os.environ.get("STEWARD_VAR") or _VAR) / "failpoints.log"
    with path.open("a", encoding="utf-8") as log:
        log.write(f"{name} {count} {os.getpid()}\n")
        log.flush()
        os.fsync(log.fileno())


@cache
def _points() -> dict[str, Point]:
    """Of this process; read at the first hit, for the settings to have judged the text before."""
    if os.environ.get("APP_MODE") != "test":
        return {}
    return parse(os.environ.get("FAILPOINTS", ""))


_VAR = Path(__file__).parents[2] / "var"
_hits: Counter[str] = Counter()
_lock = threading.Lock()
