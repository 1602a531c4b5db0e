"""What a process has loaded: one snapshot a run, no query, kept right by the epoch."""

from dataclasses import FrozenInstanceError
from functools import partial
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent, Provider, PublishRecord
from apps.agents.services import catalogue
from apps.agents.services.epoch import current_epoch, raise_epoch
from apps.agents.services.memory import Epochal, Kept
from apps.agents.services.providers import save_provider
from apps.agents.services.publish import publish_agent
from apps.agents.services.spec import spec_of, system_message
from apps.tools.registry import AgentContext, agent_tool
from apps.tools.registry import catalogue as registry
from tests import factories

pytestmark = pytest.mark.django_db


class Weather:
    """A tool whose schema the tests change."""

    @agent_tool("get_weather", "Tells the weather.", {"type": "object", "properties": {}},
                write_action=False)  # fmt: skip
    def get(self, input: dict[str, Any], ctx: AgentContext) -> dict[str, Any]:
        return {}


class OtherWeather:
    """The same tool, another schema."""

    @agent_tool(
        "get_weather",
        "Tells the weather.",
        {"type": "object", "properties": {"city": {"type": "string"}}},
        write_action=False,
    )
    def get(self, input: dict[str, Any], ctx: AgentContext) -> dict[str, Any]:
        return {}


@pytest.mark.req("AGENT-8")
def test_building_an_agent_asks_nothing(
    assistant: Agent, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    assert catalogue.live_snapshot(assistant) is not None
    with django_assert_num_queries(0):
        snapshot = catalogue.live_snapshot(assistant)
        assert snapshot is not None
        spec = spec_of(snapshot)
        message = system_message(snapshot)
    assert [tool.name for tool in spec.tools] == sorted(factories.TOOLS)
    assert spec.limits.iterations == assistant.max_iters
    assert message.content.endswith("Be brief.")


@pytest.mark.req("AGENT-8")
def test_a_snapshot_cannot_be_changed(assistant: Agent) -> None:
    snapshot = catalogue.live_snapshot(assistant)
    assert snapshot is not None
    with pytest.raises(FrozenInstanceError):
        snapshot.prompt = "changed"  # type: ignore[misc]


@pytest.mark.req("AGENT-8")
def test_a_run_keeps_its_version_after_a_newer_one(assistant: Agent, root: User) -> None:
    pinned = assistant.live_id
    Agent.objects.filter(pk=assistant.pk).update(prompt="Second.")
    publish_agent(agent=assistant, actor=Actor.of(root), note="")
    catalogue.reset()
    first = catalogue.snapshot_for_run(agent_code="assistant", record_id=pinned)
    second = catalogue.live_snapshot(assistant)
    assert second is not None
    assert (first.version, first.prompt) == (1, "Be brief.")
    assert (second.version, second.prompt) == (2, "Second.")


@pytest.mark.req("FORM-9")
def test_the_preamble_stands_before_the_unbroken_prompt(draft: Agent) -> None:
    snapshot = catalogue.draft_snapshot(draft)
    text = system_message(snapshot).content
    assert text.startswith(snapshot.preamble)
    assert text.endswith("\n\n" + draft.prompt)
    for word in ("不是指令", "提供给你的工具", "明确提出要求", "render_form"):
        assert word in snapshot.preamble
    assert "Steward" not in snapshot.preamble


@pytest.mark.req("AGENT-1")
def test_a_draft_serves_at_once_to_its_editors(draft: Agent) -> None:
    first = catalogue.draft_snapshot(draft)
    Agent.objects.filter(pk=draft.pk).update(prompt="Now.", version=2)
    second = catalogue.snapshot_for_run(agent_code=draft.code, record_id=None)
    assert (first.version_label, first.prompt) == ("draft", "Be brief.")
    assert second.prompt == "Now."
    assert first.digest != second.digest


def test_nothing_is_live_before_the_first_publishing(draft: Agent) -> None:
    assert catalogue.live_snapshot(draft) is None


def test_a_missing_record_is_an_error(db: None) -> None:
    with pytest.raises(PublishRecord.DoesNotExist):
        catalogue.snapshot_of(404)


@pytest.mark.case("VER-017")
@pytest.mark.req("AGENT-8")
@pytest.mark.parametrize(("now", "reason"), [(None, "missing"), (OtherWeather, "changed")])
def test_a_tool_that_is_gone_or_changed_is_absent(
    draft: Agent, root: User, now: type | None, reason: str
) -> None:
    with registry.temporarily(Weather):
        draft.tools.create(name="get_weather")
        record = publish_agent(agent=draft, actor=Actor.of(root), note="")
        kept = catalogue.snapshot_of(record.pk)
        assert ("get_weather" in [tool.name for tool in kept.tools], kept.absent_tools) == (
            True,
            {},
        )
    catalogue.reset()
    with registry.temporarily(*([now] if now else [])):
        snapshot = catalogue.snapshot_of(record.pk)
    assert snapshot.absent_tools == {"get_weather": reason}
    assert [tool.name for tool in spec_of(snapshot).tools] == sorted(factories.TOOLS)


@pytest.mark.case("VER-009")
def test_a_saved_provider_is_known_at_the_next_look(draft: Agent, root: User) -> None:
    assert catalogue.provider_config(draft.provider_id).options == {}
    provider = Provider.objects.get(pk=draft.provider_id)
    provider.options = {"pace": 0}
    save_provider(provider=provider, actor=Actor.of(root))
    assert catalogue.provider_config(draft.provider_id).options == {}
    catalogue.ensure_fresh()
    config = catalogue.provider_config(draft.provider_id)
    assert (config.options, config.version) == ({"pace": 0}, 2)


def test_looking_for_changes_is_one_query(
    draft: Agent, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(1):
        catalogue.ensure_fresh()


def test_the_epoch_rises_with_its_transaction(db: None) -> None:
    before = current_epoch()
    raise_epoch()
    assert current_epoch() == before + 1


def test_the_least_recent_is_let_go() -> None:
    kept: Kept[int, int] = Kept(2)
    loads: list[int] = []

    def load(key: int) -> int:
        loads.append(key)
        return key

    for key in (1, 2, 1, 3, 1, 2):
        assert kept.get(key, partial(load, key)) == key
    assert loads == [1, 2, 3, 2]
    assert len(kept) == 2


def test_what_was_loaded_while_the_epoch_moved_is_not_kept() -> None:
    memory: Epochal[str, str] = Epochal()
    memory.compare(1)

    def slow() -> str:
        memory.compare(2)
        return "old"

    assert memory.get("key", slow) == "old"
    assert memory.known("key") is None
    assert memory.get("key", lambda: "new") == "new"
    memory.compare(2)
    assert memory.known("key") == "new"
