"""Publishing: one immutable record, one pointer, nothing of the draft afterwards."""

import json
from collections.abc import Callable

import pytest
from django.db import IntegrityError, connection, transaction

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent, AgentTool, ConfigEpoch, Provider, PublishRecord, ReleaseEvent
from apps.agents.preamble import PREAMBLE
from apps.agents.services.catalogue import live_snapshot
from apps.agents.services.publish import publish_agent
from apps.lib.canonical import canonical_json, digest
from apps.lib.problem import RefusedError
from tests import factories

pytestmark = pytest.mark.django_db


def publish(agent: Agent, user: User, note: str = "") -> PublishRecord:
    return publish_agent(agent=Agent.objects.get(pk=agent.pk), actor=Actor.of(user), note=note)


@pytest.mark.req("AGENT-3")
def test_a_record_holds_the_whole_configuration(draft: Agent, publisher: User) -> None:
    record = publish(draft, publisher, "first")
    body = json.loads(record.body)
    assert record.digest == digest(record.body)
    assert record.body == canonical_json(body)
    assert (record.version, record.note, record.published_by) == (1, "first", "publisher")
    assert body["preamble"] == PREAMBLE
    assert body["prompt"] == "Be brief."
    assert [tool["name"] for tool in body["tools"]] == sorted(factories.TOOLS)
    assert all(len(tool["schema_digest"]) == 64 for tool in body["tools"])
    assert body["parameters"] == {
        "temperature": None,
        "top_p": None,
        "max_tokens": None,
        "max_iters": 10,
    }


@pytest.mark.req("AGENT-3")
def test_publishing_switches_traffic_and_says_so(draft: Agent, publisher: User) -> None:
    before = ConfigEpoch.objects.get().number
    first = publish(draft, publisher)
    Agent.objects.filter(pk=draft.pk).update(welcome="Good day.", version=2)
    second = publish(draft, publisher, "warmer")
    draft.refresh_from_db()
    assert (draft.live, draft.state) == (second, Agent.State.PUBLISHED)
    assert (first.version, second.version) == (1, 2)
    events = ReleaseEvent.objects.order_by("pk").values_list("from_version", "to_version", "note")
    assert list(events) == [(None, 1, ""), (1, 2, "warmer")]
    assert ConfigEpoch.objects.get().number == before + 2


@pytest.mark.case("VER-014")
@pytest.mark.case("VER-015")
@pytest.mark.req("AGENT-3")
def test_an_equal_draft_writes_nothing(draft: Agent, publisher: User) -> None:
    first = publish(draft, publisher)
    for prompt in ("Be long.", "Be brief."):
        Agent.objects.filter(pk=draft.pk).update(prompt=prompt)
    epoch = ConfigEpoch.objects.get().number
    assert publish(draft, publisher) == first
    assert PublishRecord.objects.count() == ReleaseEvent.objects.count() == 1
    assert ConfigEpoch.objects.get().number == epoch


@pytest.mark.req("AGENT-2")
def test_draft_edits_never_reach_published_traffic(draft: Agent, publisher: User) -> None:
    publish(draft, publisher)
    other = factories.make_provider(draft.organisation, name="other")
    Agent.objects.filter(pk=draft.pk).update(
        name="Changed", prompt="Changed", welcome="Changed", max_iters=1, temperature=2,
        provider=other, model_name="changed", suggestions=["Changed"],
    )  # fmt: skip
    draft.tools.all().delete()
    snapshot = live_snapshot(Agent.objects.get(pk=draft.pk))
    assert snapshot is not None
    assert (snapshot.name, snapshot.prompt) == ("helper", "Be brief.")
    assert (snapshot.page.welcome, snapshot.limits.iterations) == ("Hello.", 10)
    assert (snapshot.provider_id, snapshot.model_name) == (draft.provider_id, "")
    assert [tool.name for tool in snapshot.tools] == sorted(factories.TOOLS)


@pytest.mark.case("VER-006")
@pytest.mark.req("AGENT-3")
@pytest.mark.parametrize(
    ("part", "breaks"),
    [
        ("tools", lambda agent: AgentTool.objects.create(agent=agent, name="gone_tool")),
        ("provider", lambda agent: Provider.objects.update(enabled=False)),
        ("model_name", lambda agent: Provider.objects.update(kind=Provider.Kind.OPENAI)),
        ("prompt", lambda agent: Agent.objects.update(prompt=" \n")),
        ("suggestions", lambda agent: Agent.objects.update(suggestions=["x"] * 5)),
        ("state", lambda agent: Agent.objects.update(state=Agent.State.RETIRED)),
    ],
)
def test_what_is_missing_is_named(
    draft: Agent, publisher: User, part: str, breaks: Callable[[Agent], object]
) -> None:
    first = publish(draft, publisher)
    Agent.objects.filter(pk=draft.pk).update(welcome="New.")
    breaks(draft)
    with pytest.raises(RefusedError) as refused:
        publish(draft, publisher)
    assert refused.value.problem.status == 400
    assert list(refused.value.problem.errors) == [part]
    assert PublishRecord.objects.get() == first
    assert Agent.objects.get(pk=draft.pk).live == first


def test_a_foreign_provider_is_refused(
    draft: Agent, publisher: User, other_organisation: Organisation
) -> None:
    Provider.objects.update(organisation=other_organisation)
    with pytest.raises(RefusedError) as refused:
        publish(draft, publisher)
    assert list(refused.value.problem.errors) == ["provider"]


@pytest.mark.parametrize("name", ["operator", "carol", "alice"])
def test_publishing_needs_its_own_right(
    draft: Agent, name: str, request: pytest.FixtureRequest
) -> None:
    with pytest.raises(RefusedError) as refused:
        publish(draft, request.getfixturevalue(name))
    assert refused.value.problem.status == 403
    assert not PublishRecord.objects.exists()


@pytest.mark.case("VER-002")
def test_a_draft_saved_meanwhile_is_not_published(draft: Agent, publisher: User) -> None:
    seen = Agent.objects.get(pk=draft.pk)
    Agent.objects.filter(pk=draft.pk).update(prompt="Somebody else's", version=2)
    with pytest.raises(RefusedError) as refused:
        publish_agent(agent=seen, actor=Actor.of(publisher), note="")
    assert (refused.value.problem.status, refused.value.problem.code) == (409, "agent_changed")
    assert not PublishRecord.objects.exists()


@pytest.mark.req("AGENT-12")
def test_records_hold_no_key(organisation: Organisation, publisher: User) -> None:
    provider = factories.make_provider(organisation, kind="openai", api_key="sk-very-secret")
    agent = factories.make_agent(organisation, "other", provider=provider, model_name="m")
    factories.grant(publisher, agent, "publish_agent")
    assert "sk-very-secret" not in publish(agent, publisher).body


@pytest.mark.case("DJ-018")
@pytest.mark.req("AGENT-3")
@pytest.mark.parametrize("table", ["agents_publishrecord", "agents_releaseevent"])
@pytest.mark.parametrize("sql", ["UPDATE {} SET note = 'x'", "DELETE FROM {}"])
def test_raw_sql_cannot_change_releases(
    draft: Agent, publisher: User, table: str, sql: str
) -> None:
    publish(draft, publisher)
    with (
        pytest.raises(IntegrityError, match="immutable"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(sql.format(table))


@pytest.mark.req("AGENT-3")
@pytest.mark.parametrize(
    "change",
    [
        lambda rows: rows.update(body="{}"),
        lambda rows: rows.get().delete(),
        lambda rows: rows.delete(),
        lambda rows: PublishRecord(pk=rows.get().pk, version=7).save(force_update=True),
    ],
)
def test_the_orm_cannot_change_records(
    draft: Agent, publisher: User, change: Callable[[object], object]
) -> None:
    Agent.objects.filter(pk=draft.pk).update(live=None)
    record = publish(draft, publisher)
    Agent.objects.filter(pk=draft.pk).update(live=None)
    rows = PublishRecord.objects.filter(pk=record.pk)
    with pytest.raises(IntegrityError), transaction.atomic():
        change(rows)
    assert PublishRecord.objects.get().body == record.body
