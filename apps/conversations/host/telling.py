"""What the loop tells, on its way into the ring: deltas at once, facts to be committed first."""

import time

from apps.conversations.host.active import ActiveRun
from apps.conversations.host.errors import AnswerTooLargeError
from apps.conversations.stream.encode import tool_event
from apps.runtime.events import (
    ErrorRaised,
    MessageCompleted,
    MessageDelta,
    ReasoningDelta,
    RunCompleted,
    RunEvent,
    ToolEvent,
    UiForm,
)
from apps.runtime.progress import PARAGRAPH

EVENTS_CAP = 4 * 1024 * 1024
TIMES_SHOWN = 3
"""Visible text is sent three times: as deltas, as the content, and as its HTML."""


class Telling:
    """Feeds one run's ring, and keeps what its end needs."""

    def __init__(self, active: ActiveRun, message_id: int) -> None:
        self._active = active
        self._ring = active.ring
        self._message_id = message_id
        self._room = EVENTS_CAP
        self._unfinished: list[str] = []
        self.has_forms = False
        self.first_token_ms: int | None = None
        self._message: MessageCompleted | None = None
        self.error: ErrorRaised | None = None
        self.end: RunCompleted | None = None

    def tell(self, event: RunEvent) -> None:
        """Raises AnswerTooLargeError instead of going over the cap."""
        match event:
            case MessageDelta(delta=text):
                self._say(text)
            case ReasoningDelta(delta=text):
                self._take(_size(text))
                self._ring.delta("reasoning.delta", self._message_id, text)
            case MessageCompleted():
                self._message = event
            case ErrorRaised():
                self.error = event
            case RunCompleted():
                self.end = event
            case _:
                self._state(event)

    def step_committed(self) -> None:
        """What was said so far stands in a block."""
        self._unfinished.clear()

    def content(self) -> str:
        """All visible text of the leg, once it has ended."""
        return self._message.content if self._message else ""

    def unfinished(self) -> str:
        """What was said of the step that never ended."""
        return "".join(self._unfinished).removeprefix(PARAGRAPH)

    def _say(self, text: str) -> None:
        if self.first_token_ms is None:
            self.first_token_ms = elapsed_ms(self._active)
        self._take(TIMES_SHOWN * _size(text))
        self._unfinished.append(text)
        self._ring.delta("message.delta", self._message_id, text)

    def _state(self, event: ToolEvent) -> None:
        self.has_forms = self.has_forms or isinstance(event, UiForm)
        name, data = tool_event(self._message_id, event)
        self._take(len(data))
        self._ring.fact(name, data)
        self._active.kick()

    def _take(self, size: int) -> None:
        self._room -= size
        if self._room < 0:
            raise AnswerTooLargeError(f"more than {EVENTS_CAP} bytes of events")


def elapsed_ms(active: ActiveRun) -> int:
    """Since this host took the run."""
    return round((time.monotonic() - active.begun) * 1000)


def _size(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode(errors="replace"))
