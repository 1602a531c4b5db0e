"""Calls inside a turn: facts are committed before they are shown, and a stop ends what follows."""

import threading
import typing
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from apps.accounts.models import Organisation, User
from apps.agents.models import Agent
from apps.conversations.api.shapes import message_items
from apps.conversations.host import active as active_module
from apps.conversations.limit_texts import limit_text
from apps.conversations.models import Conversation, EventBatch, Message, Run
from apps.lib import bridge
from apps.runtime.messages import TextDelta
from apps.runtime.scripted_model import ScriptedModel, call, calls, says
from apps.runtime.steps import LimitReason
from apps.tools.models import ToolRun
from apps.tools.registry import AgentContext, agent_tool
from apps.tools.registry.catalogue import catalogue
from tests import factories
from tests.conversations.host.conftest import Use
from tests.conversations.host.support import HandModel, hosting, played, read, start
from tests.conversations.host.test_stop import ask_to_stop
from tests.grammar import check_stream

pytestmark = pytest.mark.django_db(transaction=True)
begun, go_on = threading.Event(), threading.Event()
counted: list[int] = []


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """No arguments but a number."""

    number: int = field(default=0, metadata={"description": "any number"})


class HostTools:
    """Tools that tell the test when they run."""

    @agent_tool("slow_step", "Waits.", Nothing, write_action=False)
    def slow(self, input: Nothing, ctx: AgentContext) -> dict[str, object]:
        begun.set()
        go_on.wait(10)
        return {"done": True}

    @agent_tool("count_up", "Counts.", Nothing, write_action=False)
    def count(self, input: Nothing, ctx: AgentContext) -> dict[str, object]:
        counted.append(input.number)
        return {"count": len(counted)}


@pytest.fixture(autouse=True)
def _tools() -> Iterator[None]:
    begun.clear()
    go_on.clear()
    counted.clear()
    with catalogue.temporarily(HostTools):
        yield
    go_on.set()


@pytest.fixture
def assistant(organisation: Organisation, alice: User) -> Agent:
    agent = factories.make_agent(organisation, tools=("slow_step", "count_up"))
    factories.grant(alice, agent, "use_agent")
    return factories.publish(agent)


async def test_call_is_told_and_its_answer_goes_to_the_model(
    conversation: Conversation, use: Use
) -> None:
    with use(ScriptedModel(calls("count_up", {"number": 3}), says("Counted."))) as model:
        async with hosting() as host:
            events = await played(host, conversation)
    assert [event.name for event in events[2:4]] == ["tool.started", "tool.completed"]
    assert events[3].data["ok"] is True
    assert events[3].data["result"] == {"count": 1}
    assert '"count":1' in model.requests[1].messages[-1].content
    assert counted == [3]
    run = await bridge.call(Run.objects.get)
    assert run.status == "completed"


async def test_unknown_tool_is_answered_not_fatal(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(calls("no_such_tool"), says("Sorry."))):
        async with hosting() as host:
            events = await played(host, conversation)
    completed = next(event for event in events if event.name == "tool.completed")
    assert completed.data["ok"] is False
    assert events[-1].data["status"] == "completed"


async def test_fact_is_in_the_log_before_it_is_shown(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        source = host.follow(started.run_id)
        seen = [*await source.next()]
        hand.finish(call("slow_step"))
        while seen[-1].name != "tool.started":
            seen += await source.next()
        logged = await bridge.call(
            lambda: EventBatch.objects.filter(last__gte=seen[-1].seq).exists()
        )
        assert logged
        assert await bridge.call(ToolRun.objects.filter(name="slow_step").exists)
        go_on.set()
        hand.say("Done.")
        hand.finish()
        check_stream([*seen, *await read(source)])


@pytest.mark.case("STR-006")
async def test_stop_in_a_call_starts_nothing_more(
    conversation: Conversation, hand: HandModel
) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        hand.finish(call("slow_step"), call("count_up"))
        await bridge.call(begun.wait, 10)
        assert await ask_to_stop(conversation, started) == "stopping"
        events = check_stream(await read(host.follow(started.run_id)))
        go_on.set()
    assert events[-1].data["status"] == "cancelled"
    assert sum(event.name == "run.completed" for event in events) == 1
    assert counted == []
    assert len(hand.requests) == 1


async def test_stale_lease_starts_no_call(
    conversation: Conversation, hand: HandModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting() as host:
        started = await start(host, conversation)
        await hand.asked.wait()
        monkeypatch.setattr(active_module.ActiveRun, "is_stale", lambda self: True)
        hand.finish(call("count_up"))
        await bridge.call(lambda: hand.closed.is_set())
    assert counted == []
    assert await bridge.call(lambda: Run.objects.get(pk=started.run_id).status) == "running"


@pytest.mark.req("RUN-1")
async def test_same_call_for_ever_ends_the_run(conversation: Conversation, use: Use) -> None:
    with use(ScriptedModel(*[calls("no_such_tool") for _ in range(3)])):
        async with hosting() as host:
            events = await played(host, conversation)
    assert events[-1].data["status"] == "completed"
    assert events[-1].data["finishReason"] == "repeated"
    text = "模型反复发出同一个调用，本次回答已停止。可以换个说法再试一次。"
    assert [event.name for event in events[-3:-1]] == ["message.delta", "message.completed"]
    assert events[-3].data["delta"] == events[-2].data["content"] == text
    assert events[-2].data["html"] == f"<p>{text}</p>\n"


@pytest.mark.req("RUN-1")
@pytest.mark.parametrize("locale", ["zh-hans", "en"])
async def test_what_a_bound_cut_off_is_said_behind_the_answer(
    conversation: Conversation, use: Use, locale: str
) -> None:
    await bridge.call(User.objects.filter(pk=conversation.user_id).update, locale=locale)
    text = limit_text("repeated", locale)
    said = (TextDelta(text="```\nopen"), *calls("no_such_tool"))
    with use(ScriptedModel(said, calls("no_such_tool"), calls("no_such_tool"), says("Yes."))) as m:
        async with hosting() as host:
            events = await played(host, conversation)
            await played(host, conversation, "and now?")
    assert events[-2].data["content"] == f"```\nopen\n\n{text}"
    assert events[-2].data["html"].endswith(f"<p>{text}</p>\n")
    assert not any(text in message.content for message in m.requests[-1].messages)
    message = await bridge.call(Message.objects.filter(role="assistant").earliest, "pk")
    assert message.content == events[-2].data["content"]
    (item,) = await bridge.call(message_items, [message])
    assert item["parts"][-1] == {"type": "text", "text": f"\n\n{text}"}


def test_every_bound_has_words_of_its_own() -> None:
    reasons = typing.get_args(LimitReason)
    for locale in ("zh-hans", "en"):
        texts = {limit_text(reason, locale) for reason in reasons}
        assert len(texts - {""}) == len(reasons)
    assert limit_text("stop", "en") == limit_text(None, "en") == ""
