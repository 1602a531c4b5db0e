"""Celery workers as child processes, which tests kill whole: parent and pool at once."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PATIENCE_S = 60
QUEUES = "audit,memory,skills,default"


def until(holds: Callable[[], object], what: str = "it") -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert time.monotonic() < deadline, f"{what} never came to hold"
        time.sleep(0.05)


class Worker:
    """`celery worker` as the Procfile starts it, with a pool of `size`; its log is in `var`."""

    def __init__(self, environment: Mapping[str, str], *, size: int = 1) -> None:
        self.log = Path(environment["STEWARD_VAR"]) / f"worker-{time.monotonic_ns()}.log"
        command = "-m celery -A config.celery worker --loglevel WARNING --queues "
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, *command.split(), QUEUES, "--concurrency", str(size)],
                cwd=ROOT,
                env={**os.environ, **environment},
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def kill(self) -> None:
        """SIGKILL for the parent and its pool."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()


@contextmanager
def working(environment: Mapping[str, str], *, size: int = 1) -> Iterator[Worker]:
    """A worker for the block."""
    worker = Worker(environment, size=size)
    try:
        yield worker
    finally:
        worker.kill()
