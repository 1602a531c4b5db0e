"""Services whose tools the tests call; never listed by an app."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, ClassVar

from django.core.exceptions import PermissionDenied

from apps.accounts.models import Organisation
from apps.tools.registry import AgentContext, BusinessError, ToolResult, UiEffect, agent_tool


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One text, and a number that may be left out."""

    text: str = field(metadata={"description": "what to note", "maxLength": 200})
    count: int | None = field(default=None, metadata={"minimum": 1})


@dataclass(frozen=True, slots=True, kw_only=True)
class Nothing:
    """No parameters at all."""


class ProbeTools:
    """Does what the test puts in `body`, and remembers its calls."""

    calls: ClassVar[list[tuple[Any, AgentContext]]] = []
    body: ClassVar[Callable[[], Any]] = dict

    @agent_tool("probe_read", "Reads.", Note, write_action=False)
    def read(self, input: Note, ctx: AgentContext) -> Any:
        return self._done(input, ctx)

    @agent_tool("probe_write", "Writes.", Note, write_action=True, timeout=0.5)
    def write(self, input: Note, ctx: AgentContext) -> Any:
        Organisation.objects.create(code=input.text[:40], name="written by a probe")
        return self._done(input, ctx)

    @agent_tool("probe_destroy", "Destroys.", Note, destructive=True)
    def destroy(self, input: Note, ctx: AgentContext) -> Any:
        return self._done(input, ctx)

    @agent_tool("probe_ping", "Takes nothing.", Nothing, write_action=False)
    def ping(self, input: Nothing, ctx: AgentContext) -> Any:
        return self._done(input, ctx)

    @agent_tool("probe_guarded", "Needs a right.", Note, write_action=False, permission="x.y")
    def guarded(self, input: Note, ctx: AgentContext) -> Any:
        return self._done(input, ctx)

    @agent_tool(
        "probe_nested",
        "Takes an object.",
        {
            "type": "object",
            "properties": {"items": {"type": "array", "items": {"type": "integer"}}},
            "required": ["items"],
        },
        write_action=False,
    )
    def nested(self, input: dict[str, Any], ctx: AgentContext) -> Any:
        return self._done(input, ctx)

    @agent_tool("probe_form", "Shows a form.", Note, write_action=True)
    def form(self, input: Note, ctx: AgentContext) -> Any:
        self._done(input, ctx)
        return ToolResult({"status": "success"}, ui=(UiEffect(kind="form", payload={"a": 1}),))

    def _done(self, input: Any, ctx: AgentContext) -> Any:
        ProbeTools.calls.append((input, ctx))
        return type(self).body()


class Unordinary(BaseException):
    """No ordinary exception."""


class UntellableError(Exception):
    """An error that cannot be asked what it says, and is false besides."""

    def __str__(self) -> str:
        raise RuntimeError("no words")

    __repr__ = __str__

    def __bool__(self) -> bool:
        return False


def raises(error: BaseException) -> Callable[[], Any]:
    """A body that raises this."""

    def body() -> Any:
        raise error

    return body


def refuses() -> Any:
    raise BusinessError("student 王芳 exists, asked by li.wei@example.com")


def forbids() -> Any:
    raise PermissionDenied("alice lacks x on table secret_table")


def hangs(released: threading.Event) -> Callable[[], Any]:
    """A body that waits until it is released."""

    def body() -> Any:
        released.wait(20)
        return {"late": True}

    return body


def pauses(seconds: float) -> Callable[[], Any]:
    def body() -> Any:
        time.sleep(seconds)
        return {}

    return body
