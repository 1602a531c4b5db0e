"""What the adapter sends, whatever the history holds."""

from typing import Any

import pytest

from apps.runtime.messages import (
    AssistantMessage,
    ModelParameters,
    ModelRequest,
    ToolCall,
    ToolMessage,
    UserMessage,
)
from apps.runtime.openai_request import Dialect
from tests.runtime.support import tool
from tests.runtime.wire import HELLO, stream_of, text_of, wire

HISTORY = ModelRequest(
    model="m",
    messages=(
        UserMessage(content="a\x00\ud83d"),
        AssistantMessage(
            content="",
            reasoning="R1",
            calls=(
                ToolCall(id="c1", name="f", arguments={}, arguments_error="cut off"),
                ToolCall(id="c2", name="f", arguments={"城": "\ud83d"}),
            ),
        ),
        ToolMessage(call_id="c1", name="f", content="cut off"),
        ToolMessage(call_id="c2", name="f", content="a\x00b"),
    ),
    tools=(tool("f"),),
    parameters=ModelParameters(temperature=0.0, max_tokens=7),
)


async def sent(dialect: Dialect) -> dict[str, Any]:
    async with wire(stream_of(*HELLO), dialect=dialect) as (server, model):
        await text_of(model, HISTORY)
        return server.requests[0]


@pytest.mark.case("TOOL-002")
@pytest.mark.case("TXT-003")
@pytest.mark.case("TXT-004")
async def test_any_history_makes_a_valid_request() -> None:
    body = await sent(Dialect())
    user, assistant, first, second = body["messages"]
    arguments = [call["function"]["arguments"] for call in assistant["tool_calls"]]
    assert arguments == ["{}", '{"城": "\ufffd"}']
    assert (user["content"], second["content"]) == ("a\ufffd\ufffd", "a\ufffdb")
    assert [first["tool_call_id"], second["tool_call_id"]] == ["c1", "c2"]
    assert (body["temperature"], body["max_tokens"]) == (0.0, 7)


@pytest.mark.case("STR-021")
async def test_reasoning_goes_back_where_wanted() -> None:
    wanted = await sent(Dialect(reasoning_field="reasoning_content"))
    assert wanted["messages"][1]["reasoning_content"] == "R1"
    assert "R1" not in str(await sent(Dialect()))


@pytest.mark.req("AGENT-13")
async def test_extras_of_the_dialect_are_merged() -> None:
    body = await sent(Dialect(extra_body={"top_k": 3}, usage_in_stream=False))
    assert body["top_k"] == 3
    assert "stream_options" not in body
