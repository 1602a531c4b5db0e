"""Runs once, here and now, what beat starts over time: for commands, and where no beat runs."""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from queue import Empty
from typing import Any

from config.celery import QUEUES, app

MOST_MESSAGES = 10_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """How one scheduled job ended; `error` is empty when it did well."""

    name: str
    seconds: float
    error: str = ""


def run_all() -> Iterator[Outcome]:
    """Every job in the order of the schedule; one that fails keeps none of the others back.

    What a job leaves to the worker is done too where no worker could: the broker is this process.
    """
    app.loader.import_default_modules()
    for name, entry in app.conf.beat_schedule.items():
        began = time.monotonic()
        error = _run(entry["task"], entry.get("args", ()), entry.get("kwargs", {}))
        error = error or _work_off()
        yield Outcome(name=name, seconds=time.monotonic() - began, error=error)


def _run(task: str, args: Any, kwargs: Any) -> str:
    if task not in app.tasks:
        return f"no task {task}"
    ended = app.tasks[task].apply(args=args, kwargs=kwargs)
    return "" if ended.successful() else f"{type(ended.result).__name__}: {ended.result}"


def _work_off() -> str:
    """The messages that wait in this process; the first error among theirs."""
    if not str(app.conf.broker_url).startswith("memory://"):
        return ""
    errors = [_run(*message) for message in _messages()]
    return next(filter(None, errors), "")


def _messages() -> Iterator[tuple[str, Any, Any]]:
    with app.connection_for_read() as connection:
        for name in QUEUES:
            with connection.SimpleQueue(name) as waiting:
                for _ in range(MOST_MESSAGES):
                    try:
                        message = waiting.get(block=False)
                    except Empty:
                        break
                    args, kwargs, _embedded = message.payload
                    message.ack()
                    yield message.headers["task"], args, kwargs
