"""A switch holds over a published snapshot, and over a run that goes on."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent
from apps.conversations.models import Conversation
from apps.lib import bridge
from apps.runtime.scripted_model import ScriptedModel, calls, says
from apps.tools.registry import AgentContext, agent_tool
from apps.tools.registry.catalogue import catalogue
from apps.tools.services.switches import switch_off
from tests import factories
from tests.conversations.host.conftest import Use
from tests.conversations.host.support import hosting, played, read
from tests.conversations.store.support import say
from tests.grammar import check_stream

pytestmark = pytest.mark.django_db(transaction=True)


@dataclass(frozen=True, kw_only=True)
class Nothing:
    """No arguments but a number."""

    number: int = field(default=0, metadata={"description": "any number"})


class SwitchingTools:
    """One that an operator interferes with, and one that is switched off meanwhile."""

    chief: ClassVar[Actor]
    counted: ClassVar[int] = 0

    @agent_tool("operator_acts", "Switches, and takes its time.", Nothing, write_action=False)
    def act(self, input: Nothing, ctx: AgentContext) -> dict[str, object]:
        switch_off(actor=self.chief, kind="tool", key="count_down", reason="test")
        time.sleep(1.2)
        return {}

    @agent_tool("count_down", "Counts.", Nothing, write_action=False)
    def count(self, input: Nothing, ctx: AgentContext) -> dict[str, object]:
        type(self).counted += 1
        return {}


@pytest.fixture(autouse=True)
def _tools(operator: User) -> Iterator[None]:
    operator.user_permissions.add(factories.permission_named("tools.change_switch"))
    SwitchingTools.chief, SwitchingTools.counted = Actor.of(operator), 0
    with catalogue.temporarily(SwitchingTools):
        yield


@pytest.fixture
def assistant(organisation: Organisation, alice: User) -> Agent:
    agent = factories.make_agent(organisation, tools=("operator_acts", "count_down"))
    factories.grant(alice, agent, "use_agent")
    return factories.publish(agent)


@pytest.mark.req("TOOL-27")
async def test_a_published_tool_that_is_off_is_not_offered(
    conversation: Conversation, use: Use
) -> None:
    chief = SwitchingTools.chief
    await bridge.call(lambda: switch_off(actor=chief, kind="tool", key="count_down", reason="t"))
    with use(ScriptedModel(calls("count_down", {}), says("Done."))) as model:
        async with hosting() as host:
            events = await played(host, conversation)
    assert {tool.name for tool in model.requests[0].tools} == {"operator_acts"}
    assert [event.data["ok"] for event in events if event.name == "tool.completed"] == [False]
    assert SwitchingTools.counted == 0


@pytest.mark.req("TOOL-27")
async def test_a_running_run_loses_what_is_switched_off(
    conversation: Conversation, use: Use
) -> None:
    script = [calls("count_down", {}), calls("operator_acts", {}), calls("count_down", {})]
    with use(ScriptedModel(*script, says("Done."))):
        async with hosting() as host:
            events = await played(host, conversation)
    assert [event.data["ok"] for event in events if event.name == "tool.completed"] == [
        True,
        True,
        False,
    ]
    assert SwitchingTools.counted == 1


@pytest.mark.req("TOOL-27")
@pytest.mark.parametrize("kind", ["user", "agent", "provider"])
async def test_a_run_that_waited_does_not_begin(
    conversation: Conversation, use: Use, kind: str
) -> None:
    key = {
        "user": str(conversation.user_id),
        "agent": conversation.agent.code,
        "provider": str(conversation.agent.provider_id),
    }[kind]
    queued = await bridge.call(lambda: say(conversation))
    chief = SwitchingTools.chief
    await bridge.call(lambda: switch_off(actor=chief, kind=kind, key=key, reason="test"))
    with use(ScriptedModel()) as model:
        async with hosting() as host:
            events = check_stream(await read(host.follow(queued.run_id)))
    error = next(event for event in events if event.name == "error")
    assert (error.data["code"], "停用" in error.data["message"]) == ("switched_off", True)
    assert events[-1].data["status"] == "failed"
    assert model.requests == []
