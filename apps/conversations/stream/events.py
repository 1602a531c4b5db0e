"""Numbered events, and the batches in which the log keeps them.

Guarantee: a batch gives back exactly the bytes it was made of, from any cursor inside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import msgspec

EPOCH_SPAN = 10_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One numbered event; `data` is a JSON object, already encoded."""

    seq: int
    name: str
    data: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """What one flush writes: one row of the log."""

    first: int
    last: int
    payload: bytes

    @classmethod
    def of(cls, events: Sequence[Event]) -> "Batch":
        rows = b",".join(b'[%d,"%b",%b]' % (e.seq, e.name.encode(), e.data) for e in events)
        return cls(first=events[0].seq, last=events[-1].seq, payload=b"[" + rows + b"]")

    def cut(self, *, after: int, upto: int) -> list[Event]:
        """The events numbered (after, upto]: a cursor may stand in the middle of a batch."""
        return [
            Event(seq=seq, name=name, data=bytes(data))
            for seq, name, data in _rows.decode(self.payload)
            if after < seq <= upto
        ]


def numbered(epoch: int, bodies: Sequence[tuple[str, bytes]], *, after: int = 0) -> list[Event]:
    """Events of an epoch, from its first number on, or behind `after` events of it."""
    start = epoch * EPOCH_SPAN + after + 1
    return [
        Event(seq=seq, name=name, data=data) for seq, (name, data) in enumerate(bodies, start=start)
    ]


def ends_run(event: Event) -> bool:
    """Whether nothing can come after it: a leg that was interrupted has a sequel."""
    return event.name == "run.completed" and _completed.decode(event.data).status != "interrupted"


class _Completed(msgspec.Struct):
    """The part of a `run.completed` that tells a leg's end from the run's."""

    status: str


_rows = msgspec.json.Decoder(list[tuple[int, str, msgspec.Raw]])
_completed = msgspec.json.Decoder(_Completed)
