"""The grammar of `docs/events.md` as a checker that every recorded stream goes through.

Events are anything with number, name and data in this order; data is decoded, or JSON bytes.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

EPOCH_SPAN = 10_000_000
Members = Mapping[str, type | tuple[type, ...]]

_CALL: Members = {"messageId": int, "toolCallId": str, "name": str}
_USAGE: Members = {"promptTokens": (int, type(None)), "completionTokens": (int, type(None))}
SHAPES: Mapping[str, Members] = {
    "message.created": {"messageId": int, "role": str, "content": str, "metadata": dict},
    "message.delta": {"messageId": int, "delta": str},
    "reasoning.delta": {"messageId": int, "delta": str},
    "tool.started": {**_CALL, "arguments": dict},
    "tool.completed": {**_CALL, "ok": bool, "durationMs": int},
    "tool.held": _CALL,
    "ui.form": {"messageId": int, "form": dict},
    "interrupt.created": {"messageId": int, "interrupt": dict},
    "interrupt.resolved": {"interruptId": str, "state": str, "remaining": int},
    "message.restated": {"messageId": int, "content": str, "attempt": int},
    "message.completed": {
        "messageId": int,
        "content": str,
        "html": str,
        "metadata": dict,
        "usage": dict,
    },
    "error": {"code": str, "message": str, "retryable": bool, "traceId": str},
    "run.completed": {
        "runId": str,
        "status": str,
        "finishReason": (str, type(None)),
        "usage": dict,
    },
}
FINAL = ("completed", "cancelled", "failed")
REASONS = ("stop", "length", "filtered", "iterations", "repeated", "tokens", "time")


class Recorded(NamedTuple):
    """One event of a stream, decoded."""

    seq: int
    name: str
    data: dict[str, Any]


@dataclass
class _Run:
    """How far the stream has come."""

    assistant: int = 0
    roles: list[str] = field(default_factory=list)
    shown: str = ""
    started: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    completed: Recorded | None = None
    error: Recorded | None = None
    over: Recorded | None = None


def check_stream(events: Iterable[Any], *, after: int = 0, removed: bool = False) -> list[Recorded]:
    """The events decoded, if they are a whole stream to a leg's end; AssertionError if not.

    `after` is the cursor the stream was asked from: behind it the start may be missing. `removed`:
    the conversation was deleted meanwhile, so the end comes alone.
    """
    said = list(recorded(events))
    assert said, "an empty stream"
    check_numbers(said, after=after)
    run = _Run()
    for event in said:
        check_shape(event)
        assert run.over is None or run.over.data["status"] == "interrupted", (
            f"after the end: {event}"
        )
        _step(run, event, whole=after == 0 and not removed)
    assert run.over is not None, f"no run.completed at the end, but {said[-1]}"
    if removed:
        assert (run.over.data["status"], run.completed) == ("cancelled", None), run.over
    elif after == 0 and run.over.data["status"] in FINAL:
        check_text(said)
    return said


def recorded(events: Iterable[Any]) -> Iterator[Recorded]:
    """Events of the ring, of the wire client or plain triples, decoded."""
    for event in events:
        if isinstance(event, tuple):
            seq, name, data = event
        else:
            seq, name, data = event.seq, event.name, event.data
        yield Recorded(seq, name, json.loads(data) if isinstance(data, bytes | str) else data)


def check_numbers(events: Sequence[Recorded], *, after: int = 0) -> None:
    """They rise by one in an epoch, start at one in each, and stand behind the cursor."""
    before = after
    for event in events:
        epoch, place = divmod(event.seq, EPOCH_SPAN)
        old_epoch = before // EPOCH_SPAN
        follows = epoch == old_epoch and event.seq == before + 1
        begins = epoch > old_epoch and place == 1
        assert follows or begins, f"{event.seq} ({event.name}) after {before}"
        before = event.seq


def check_shape(event: Recorded) -> None:
    """Exactly the members of its name, of their types; JSON text has no NaN."""
    shape = SHAPES.get(event.name)
    assert shape is not None, f"unknown event {event.name}"
    extra = {"result", "errorMessage"} if event.name == "tool.completed" else set()
    assert set(event.data) - extra == set(shape), event
    for member, kind in shape.items():
        _check_type(event, event.data[member], kind)
    if "usage" in event.data:
        assert set(event.data["usage"]) == set(_USAGE), event
        for member, kind in _USAGE.items():
            _check_type(event, event.data["usage"][member], kind)
    if event.name == "tool.completed":
        assert ("result" in event.data) == event.data["ok"], event
        assert ("errorMessage" in event.data) != event.data["ok"], event
        assert event.data["ok"] or event.data["errorMessage"], event
    json.dumps(event.data, allow_nan=False)


def check_text(events: Sequence[Recorded]) -> None:
    """What the deltas add up to (from the last restatement on) is the completed message."""
    shown: dict[int, str] = {}
    for event in events:
        match event.name:
            case "message.delta":
                message_id = event.data["messageId"]
                shown[message_id] = shown.get(message_id, "") + event.data["delta"]
            case "message.restated":
                shown[event.data["messageId"]] = event.data["content"]
            case "message.completed":
                told = shown.get(event.data["messageId"], "")
                assert event.data["content"] == told, f"{event.data['content']!r} after {told!r}"


def _step(run: _Run, event: Recorded, *, whole: bool) -> None:
    match event.name:
        case "message.created":
            _created(run, event)
        case "error":
            assert run.completed is not None or not whole, "error before message.completed"
            assert run.error is None, "two errors"
            assert event.data["code"], event
            assert event.data["message"].strip(), event
            assert "Traceback" not in event.data["message"], event
            run.error = event
        case "run.completed":
            _over(run, event, whole=whole)
        case "message.completed":
            _message_completed(run, event, whole=whole)
        case _:
            _in_the_middle(run, event, whole=whole)


def _created(run: _Run, event: Recorded) -> None:
    run.roles.append(event.data["role"])
    assert run.roles in (["user"], ["assistant"], ["user", "assistant"]), run.roles
    if event.data["role"] == "assistant":
        assert event.data["content"] == "", event
        run.assistant = event.data["messageId"]


def _in_the_middle(run: _Run, event: Recorded, *, whole: bool) -> None:
    assert run.completed is None, f"{event} after message.completed"
    if whole and "messageId" in event.data:
        assert event.data["messageId"] == run.assistant, f"{event} of no message"
    call = event.data.get("toolCallId", "")
    if event.name == "tool.started":
        assert call not in run.started, f"started twice: {event}"
        run.started.add(call)
    if event.name == "tool.completed":
        assert call in run.started or not whole, f"never started: {event}"
        assert call not in run.ended, f"completed twice: {event}"
        run.ended.add(call)
    if event.name.endswith(".delta"):
        assert event.data["delta"], f"an empty delta: {event}"


def _message_completed(run: _Run, event: Recorded, *, whole: bool) -> None:
    assert run.completed is None, "message.completed twice"
    assert not whole or run.roles[-1:] == ["assistant"], "never created"
    assert not whole or event.data["messageId"] == run.assistant, event
    assert run.started <= run.ended, f"calls without an end: {run.started - run.ended}"
    run.completed = event


def _over(run: _Run, event: Recorded, *, whole: bool) -> None:
    status, reason = event.data["status"], event.data["finishReason"]
    assert status in (*FINAL, "interrupted"), event
    assert (reason in REASONS) if status == "completed" else reason is None, event
    if whole:
        assert (run.error is not None) == (status == "failed"), "error and failed go together"
        assert (run.completed is None) == (status == "interrupted"), "no message.completed"
    run.over = event


def _check_type(event: Recorded, value: Any, kind: type | tuple[type, ...]) -> None:
    kinds = kind if isinstance(kind, tuple) else (kind,)
    assert type(value) in kinds, f"{value!r} in {event}"
    assert type(value) is not int or abs(value) < 2**53, f"not a JSON number: {event}"
