"""The scripted provider of test beds: it says what `options` holds, over a real server.

`{"script": [answer, …], "by": "conversation" or "process"}`; each answer is an object with any of
`text`, `reasoning`, `calls` (`[{"name", "arguments"}]`), `finish` (stop, length, filtered),
`usage` (`{"prompt", "completion"}`), `delayMs` (before), `paceMs` (between words), and `error`
(`{"code", "retryable", "retryAfter"}`, raised after what was said).

By conversation (the default), the answer is the one at the number of assistant messages in the
request: any number of processes and conversations agree, and a recovered run goes on. By process,
answers are used up in the order of the requests. Asked for more, it fails like a bad request.
"""

import asyncio
import re
from collections.abc import AsyncGenerator, Iterator, Mapping, Sequence
from typing import Any

from django.utils.translation import gettext as _

from apps.agents.options import OptionsError, check, number, one_of
from apps.lib.ids import new_id
from apps.runtime import errors
from apps.runtime.messages import (
    AssistantMessage,
    ModelDelta,
    ModelFinish,
    ModelRequest,
    ReasoningDelta,
    TextDelta,
    ToolCall,
    Usage,
)

ERRORS: Mapping[str, type[errors.RunError]] = {
    kind.code: kind
    for kind in (
        errors.ModelUnreachableError,
        errors.ModelTimeoutError,
        errors.ModelUnavailableError,
        errors.ModelRateLimitError,
        errors.ContextLengthError,
        errors.ModelAuthenticationError,
        errors.ModelRequestError,
        errors.BadAnswerError,
    )
}


class ProviderScript:
    """A `ChatModel` that follows its script."""

    def __init__(self, answers: Sequence[Mapping[str, Any]], *, by_process: bool) -> None:
        self._answers = answers
        self._by_process = by_process
        self._asked = 0

    async def stream(self, request: ModelRequest) -> AsyncGenerator[ModelDelta, None]:
        """Yield the answer whose turn it is."""
        answer = self._next(request)
        await asyncio.sleep(answer.get("delayMs", 0) / 1000)
        for delta in _deltas(answer):
            yield delta
            await asyncio.sleep(answer.get("paceMs", 0) / 1000)
        if error := answer.get("error"):
            raise ERRORS[error["code"]](
                "scripted",
                retryable=error.get("retryable", False),
                retry_after=error.get("retryAfter"),
            )
        yield ModelFinish(reason=answer.get("finish", "stop"), calls=_calls(answer))

    def _next(self, request: ModelRequest) -> Mapping[str, Any]:
        said = sum(isinstance(message, AssistantMessage) for message in request.messages)
        turn = self._asked if self._by_process else said
        self._asked += 1
        if turn >= len(self._answers):
            raise errors.ModelRequestError(f"asked for answer {turn + 1}, more than scripted")
        return self._answers[turn]


def parse_script(options: Mapping[str, Any]) -> ProviderScript:
    """The model that the options describe; raises `OptionsError`."""
    check(options, {"script": _script, "by": one_of("conversation", "process")})
    return ProviderScript(options.get("script", ()), by_process=options.get("by") == "process")


def _deltas(answer: Mapping[str, Any]) -> Iterator[ModelDelta]:
    if reasoning := answer.get("reasoning"):
        yield ReasoningDelta(text=reasoning)
    for word in re.findall(r"\s*\S+|\s+$", answer.get("text", "")):
        yield TextDelta(text=word)
    usage = {"prompt": 10, "completion": 5} | answer.get("usage", {})
    yield Usage(prompt=usage["prompt"], completion=usage["completion"])


def _calls(answer: Mapping[str, Any]) -> tuple[ToolCall, ...]:
    return tuple(
        ToolCall(id=new_id(), name=call["name"], arguments=call.get("arguments", {}))
        for call in answer.get("calls", ())
    )


def _script(value: Any) -> str:
    if not isinstance(value, list):
        return _("必须是回答的列表。")
    for place, answer in enumerate(value):
        try:
            check(answer, _ANSWER)
        except OptionsError as error:
            return f"[{place}] {error}"
    return ""


def _calls_fault(value: Any) -> str:
    good = isinstance(value, list) and all(
        isinstance(call, dict)
        and isinstance(call.get("name"), str)
        and isinstance(call.get("arguments", {}), dict)
        for call in value
    )
    return "" if good else _("必须是调用的列表，每项有 name 和 arguments。")


def _error_fault(value: Any) -> str:
    good = isinstance(value, dict) and value.get("code") in ERRORS
    return "" if good else _("code 必须是其中之一：%(choices)s。") % {"choices": ", ".join(ERRORS)}


def _text_fault(value: Any) -> str:
    return "" if isinstance(value, str) else _("必须是文字。")


def _usage_fault(value: Any) -> str:
    good = isinstance(value, dict) and value.keys() <= {"prompt", "completion"}
    return "" if good else _("只能有 prompt 和 completion。")


_ANSWER = {
    "text": _text_fault,
    "reasoning": _text_fault,
    "calls": _calls_fault,
    "finish": one_of("stop", "length", "filtered"),
    "usage": _usage_fault,
    "delayMs": number(0, 600_000),
    "paceMs": number(0, 60_000),
    "error": _error_fault,
}
