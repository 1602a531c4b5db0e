"""The adapter and the loop against aimock, whose answers follow the words of the prompt."""

import pytest

from apps.runtime.events import MessageCompleted, ReasoningDelta, RunCompleted, ToolCompleted
from apps.runtime.messages import Usage
from apps.runtime.openai_chat import Patience
from apps.runtime.steps import AgentSpec
from tests.peers.test_llmock import WEATHER
from tests.runtime.support import BodyToolbox, Leg, MemoryJournal, ok
from tests.runtime.wire import openai_model

pytestmark = pytest.mark.peer("aimock")


async def run(url: str, words: str, model_name: str = "gpt-4o") -> Leg:
    journal = MemoryJournal()
    async with openai_model(f"{url}/v1", patience=Patience(backoff=0.05, silence=5)) as model:
        leg = Leg(
            model=model,
            journal=journal,
            toolbox=BodyToolbox(journal, get_weather=ok),
            spec=AgentSpec(model=model_name, tools=(WEATHER,)),
        )
        await leg.run(words)
    return leg


def said(leg: Leg) -> str:
    (message,) = [event for event in leg.events if isinstance(event, MessageCompleted)]
    return message.content


def ended(leg: Leg) -> RunCompleted:
    last = leg.events[-1]
    assert isinstance(last, RunCompleted)
    return last


def failure(leg: Leg) -> str:
    assert ended(leg).status == "failed"
    return str(getattr(leg.events[-2], "code", None))


async def test_text_and_usage_arrive(aimock_url: str) -> None:
    leg = await run(aimock_url, "hello")
    assert said(leg) == "Hi from the mock, 你好！"
    assert ended(leg).usage == Usage(prompt=10, completion=5)


async def test_parallel_calls_get_their_answers(aimock_url: str) -> None:
    leg = await run(aimock_url, "weather two")
    cities = [event.call.arguments for event in leg.events if isinstance(event, ToolCompleted)]
    assert cities == [{"city": "Paris"}, {"city": "伦敦"}]
    assert said(leg) == "Paris 17, London 12."


@pytest.mark.case("STR-023")
async def test_text_before_call_stays_before(aimock_url: str) -> None:
    assert said(await run(aimock_url, "tool first")) == "Let me check. \n\nRome is warm."


@pytest.mark.case("STR-021")
async def test_reasoning_stays_out_of_answer(aimock_url: str) -> None:
    leg = await run(aimock_url, "think hard", model_name="deepseek-reasoner")
    thought = [event.delta for event in leg.events if isinstance(event, ReasoningDelta)]
    assert "".join(thought) == "First I consider the options."
    assert said(leg) == "Answer: 42"


async def test_broken_arguments_are_survived(aimock_url: str) -> None:
    assert said(await run(aimock_url, "bad args")) == "I gave up."


async def test_overload_is_asked_again(aimock_url: str) -> None:
    assert said(await run(aimock_url, "flaky")) == "recovered"


async def test_length_is_the_finish_reason(aimock_url: str) -> None:
    assert ended(await run(aimock_url, "too long answer")).finish_reason == "length"


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("ratelimit", "model_rate_limited"),
        ("ctx too long", "context_length_exceeded"),
        ("malformed", "model_bad_answer"),
        ("nobody knows this", "model_unavailable"),
    ],
)
async def test_fault_keeps_its_meaning(aimock_url: str, words: str, code: str) -> None:
    assert failure(await run(aimock_url, words)) == code


@pytest.mark.case("STR-026")
async def test_dropped_answer_keeps_its_beginning(aimock_url: str) -> None:
    leg = await run(aimock_url, "drop me")
    assert failure(leg) == "model_bad_answer"
    assert said(leg).startswith("This")
