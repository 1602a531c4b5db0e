"""Hands ended calls over to the worker that writes audit.after, off the request path.

`put` never waits and never raises. One thread a process sends what has gathered as one message;
what a full queue, a broker that is down or the end of the process loses, the sweeper finds.
"""

import logging
import queue
import threading
import time
from collections.abc import Sequence

from celery import current_app
from kombu.exceptions import KombuError

logger = logging.getLogger(__name__)
TASK, QUEUE = "apps.tools.tasks.write_after", "audit"
CAPACITY = 10_000
BATCH = 100
GATHER_S = 0.05
"""How long a message waits for more of its kind."""


class Handover:
    """One process's way to the worker; its thread starts with the first call, also after a fork."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        self._queue: queue.Queue[str] = queue.Queue(capacity)
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None
        self._dropped = 0

    def put(self, audit_id: str) -> None:
        """Callable from every thread and from the loop, once the outcome is committed."""
        try:
            self._queue.put_nowait(audit_id)
        except queue.Full:
            self._dropped += 1  # said by the thread: a log line here would be waited for
        if self._thread is None or not self._thread.is_alive():
            self._start()

    def _start(self) -> None:
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._drain, name="handover", daemon=True)
                self._thread.start()

    def _drain(self) -> None:
        while True:
            audit_ids = [self._queue.get()]
            time.sleep(GATHER_S)
            while len(audit_ids) < BATCH and not self._queue.empty():
                audit_ids.append(self._queue.get())
            send(audit_ids)
            if dropped := self._dropped:
                self._dropped -= dropped
                logger.warning("hand-over full, %d calls are left to the sweeper", dropped)


def send(audit_ids: Sequence[str], *, countdown: float | None = None) -> None:
    """One message, tried once: when the broker is down the sweeper finds these calls."""
    try:
        current_app.send_task(
            TASK, (list(audit_ids),), queue=QUEUE, countdown=countdown, retry=False
        )
    except (KombuError, OSError) as error:
        logger.warning("broker down, %d calls are left to the sweeper: %r", len(audit_ids), error)


_handover = Handover()
put = _handover.put
