"""What all streams of runs share: the headers of the answer, and where a live one ends."""

from collections.abc import Sequence

from apps.conversations.services.starting import StartedRun
from apps.conversations.stream.events import Event
from apps.protocols.event_stream import EventSource, Headers

RUN_COMPLETED = "run.completed"


class UntilCompleted:
    """A source that ends at the first `run.completed`, the end of a leg."""

    def __init__(self, source: EventSource) -> None:
        self._source = source
        self._over = False

    async def next(self) -> Sequence[Event]:
        """The next events; empty at the end. Safe to cancel, as its source is."""
        if self._over:
            return ()
        events = await self._source.next()
        for place, event in enumerate(events):
            if event.name == RUN_COMPLETED:
                self._over = True
                return events[: place + 1]
        return events


def headers_of(run: StartedRun) -> Headers:
    named = {
        "X-Gray-Hit": "true" if run.gray_hit else "false",
        "X-Agent-Version": run.agent_version,
        "X-Trace-Id": run.trace_id,
        "X-Run-Id": run.run_id,
    }
    return [(name.encode(), value.encode()) for name, value in named.items()]
