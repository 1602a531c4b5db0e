"""The wire shapes of facts, byte for byte."""

from types import MappingProxyType

import pytest

from apps.conversations.stream import encode
from apps.runtime.events import ToolCompleted, ToolHeld, ToolStarted, UiForm
from apps.runtime.messages import ToolAnswer, ToolCall, Usage

CALL = ToolCall(id="c1", name="look", arguments=MappingProxyType({"name": "李"}))


def test_call_that_started() -> None:
    assert encode.tool_event(7, ToolStarted(call=CALL)) == (
        "tool.started",
        '{"messageId":7,"toolCallId":"c1","name":"look","arguments":{"name":"李"}}'.encode(),
    )


def test_call_that_succeeded_has_its_result() -> None:
    answer = ToolAnswer(ok=True, content="", result={"n": 10**30}, duration_ms=5)
    assert encode.tool_event(7, ToolCompleted(call=CALL, answer=answer)) == (
        "tool.completed",
        b'{"messageId":7,"toolCallId":"c1","name":"look","ok":true,'
        b'"result":{"n":1000000000000000000000000000000},"durationMs":5}',
    )


def test_call_that_failed_has_its_reason() -> None:
    answer = ToolAnswer(ok=False, content="for the model", error="No.", duration_ms=5)
    assert encode.tool_event(7, ToolCompleted(call=CALL, answer=answer)) == (
        "tool.completed",
        b'{"messageId":7,"toolCallId":"c1","name":"look","ok":false,'
        b'"errorMessage":"No.","durationMs":5}',
    )


def test_form_and_held_call() -> None:
    assert encode.tool_event(7, UiForm(form={"formId": "c1"})) == (
        "ui.form",
        b'{"messageId":7,"form":{"formId":"c1"}}',
    )
    assert encode.tool_event(7, ToolHeld(call=CALL)) == (
        "tool.held",
        b'{"messageId":7,"toolCallId":"c1","name":"look"}',
    )


def test_end_of_a_run() -> None:
    ended = encode.run_completed(
        run_id="r", status="failed", finish_reason=None, usage=Usage(prompt=3)
    )
    assert ended == (
        "run.completed",
        b'{"runId":"r","status":"failed","finishReason":null,'
        b'"usage":{"promptTokens":3,"completionTokens":null}}',
    )


def test_what_no_client_could_read_is_refused() -> None:
    with pytest.raises(ValueError, match="JSON"):
        encode.fact("ui.form", form={"n": float("nan")})
