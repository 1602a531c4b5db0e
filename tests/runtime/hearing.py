"""Reads a whole answer and says what was heard."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from apps.runtime.chat_stream import ChatStream
from apps.runtime.messages import ModelFinish, ReasoningDelta, TextDelta, Usage
from tests.runtime.wire import numbered


class Heard(NamedTuple):
    text: str
    reasoning: str
    usage: Usage | None
    finish: ModelFinish


def hear(reads: Iterable[bytes]) -> Heard:
    stream = ChatStream(new_id=numbered())
    deltas = [delta for read in reads for delta in stream.feed(read)]
    usage = [delta for delta in deltas if isinstance(delta, Usage)]
    return Heard(
        "".join(delta.text for delta in deltas if isinstance(delta, TextDelta)),
        "".join(delta.text for delta in deltas if isinstance(delta, ReasoningDelta)),
        usage[-1] if usage else None,
        stream.finish(),
    )


def calls(heard: Heard) -> list[tuple[str, Any]]:
    return [(call.name, call.arguments_error or call.arguments) for call in heard.finish.calls]
