"""The JSON frames of a socket: actions as they are read, events as they are written."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from apps.conversations.refusals import invalid
from apps.conversations.stream.events import Event
from apps.lib.api_json import too_large
from apps.lib.json_body import read_object
from apps.lib.problem import Problem, RefusedError

MAX_FRAME = 1_000_000
MAX_REF = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """What a client asks; `body` holds all members but `action` and `ref`."""

    name: str
    ref: str | None
    body: Mapping[str, Any]

    def text(self, member: str) -> str:
        """A member that names a thing; whatever is no text names nothing."""
        value = self.body.get(member)
        return value if isinstance(value, str) else ""

    def number(self, member: str, *, default: int | None = None) -> int:
        """A number of an event; RefusedError 400 for anything else."""
        value = self.body.get(member, default)
        if type(value) is not int or not 0 <= value < 10**18:
            raise invalid({member: [_("必须是事件编号。")]})
        return value


class RefusedFrameError(Exception):
    """A frame that is no action: the problem, and the `ref` if it could be read."""

    def __init__(self, problem: Problem, ref: str | None = None) -> None:
        super().__init__(problem.code)
        self.problem = problem
        self.ref = ref


def read_action(text: str) -> Action:
    """The action of a frame; RefusedFrameError for anything else."""
    content = text.encode()
    try:
        if len(content) > MAX_FRAME:
            raise too_large()
        frame = read_object(content)
    except RefusedError as refused:
        raise RefusedFrameError(refused.problem) from refused
    name, ref = frame.pop("action", None), frame.pop("ref", None)
    shown = ref if isinstance(ref, str) and len(ref) <= MAX_REF else None
    if ref != shown:
        raise RefusedFrameError(invalid({"ref": [_("必须是不超过 200 个字符的文本。")]}).problem)
    if not isinstance(name, str):
        raise RefusedFrameError(invalid({"action": [_("请写明动作。")]}).problem, shown)
    return Action(name=name, ref=shown, body=frame)


def plain_frame(event: str, data: object) -> str:
    """A frame that belongs to no run."""
    return msgspec.json.encode({"event": event, "data": data}).decode()


def refused_frame(problem: Problem, ref: str | None) -> str:
    """What is a header over HTTP stands beside the problem: `retryAfter`, in seconds."""
    frame: dict[str, object] = {
        "event": "refused",
        "ref": ref,
        "data": msgspec.Raw(problem.encode()),
    }
    if problem.retry_after is not None:
        frame["retryAfter"] = problem.retry_after
    return msgspec.json.encode(frame).decode()


class EventFrames:
    """Writes the events of runs; a delta names its run only when it is not the last one's again."""

    def __init__(self) -> None:
        self._delta_run = ""

    def restart(self, run_id: str) -> None:
        """The run is sent anew: its next delta names it."""
        if self._delta_run == run_id:
            self._delta_run = ""

    def write(self, run_id: str, event: Event) -> str:
        head = f'{{"seq":{event.seq},"event":"{event.name}","data":{event.data.decode()}'
        if event.name.endswith(".delta"):
            if run_id == self._delta_run:
                return head + "}"
            self._delta_run = run_id
        return f'{head},"runId":"{run_id}"}}'
