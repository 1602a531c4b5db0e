"""Drafts: what may be saved, by whom, and under which version."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.agents.models import Agent, ConfigEpoch
from apps.agents.rights import may
from apps.agents.services.drafts import create_draft, save_draft
from apps.agents.services.publish import publish_agent
from apps.agents.services.standing import Standing, standing_of
from apps.lib.problem import RefusedError
from tests import factories

pytestmark = pytest.mark.django_db


def save(agent: Agent, user: User, tools: tuple[str, ...] = factories.TOOLS) -> Agent:
    return save_draft(agent=agent, tools=tools, actor=Actor.of(user))


def test_a_saved_draft_keeps_fields_and_tools(draft: Agent, operator: User) -> None:
    draft.prompt, draft.temperature = "New.", 0.0
    save(draft, operator, ("create_student",))
    row = Agent.objects.get(pk=draft.pk)
    assert (row.prompt, row.temperature, row.version) == ("New.", 0.0, 2)
    assert row.updated_by == operator
    assert [tool.name for tool in row.tools.all()] == ["create_student"]
    assert ConfigEpoch.objects.get().number == 2


@pytest.mark.case("VER-014")
@pytest.mark.case("VER-011")
def test_a_stale_save_is_refused(draft: Agent, operator: User) -> None:
    first, second = (Agent.objects.get(pk=draft.pk) for _ in range(2))
    first.prompt = "First."
    save(first, operator)
    second.prompt = "Second."
    with pytest.raises(RefusedError) as refused:
        save(second, operator, ())
    assert (refused.value.problem.status, refused.value.problem.code) == (409, "stale_version")
    row = Agent.objects.get(pk=draft.pk)
    assert (row.prompt, row.tools.count()) == ("First.", len(factories.TOOLS))


@pytest.mark.parametrize("name", ["publisher", "alice", "carol"])
def test_saving_needs_the_right_to_edit(
    draft: Agent, request: pytest.FixtureRequest, name: str
) -> None:
    with pytest.raises(RefusedError) as refused:
        save(draft, request.getfixturevalue(name))
    assert refused.value.problem.status == 403


@pytest.mark.case("CFG-004")
def test_a_value_once_set_can_be_removed(draft: Agent, operator: User) -> None:
    draft.temperature = 0.5
    save(draft, operator)
    draft.temperature = None
    save(draft, operator)
    assert Agent.objects.get(pk=draft.pk).temperature is None


@pytest.mark.req("AGENT-7")
@pytest.mark.parametrize(
    "code",
    [
        "a",
        "A1",
        "1a",
        "a b",
        "a.b",
        "ab_published",
        "x_published_y",
        "_a",
        "ab\n",
        "a" * 64,
        "学生",
    ],
)
def test_a_code_that_cannot_be_is_refused(organisation: Organisation, code: str) -> None:
    agent = Agent(
        organisation=organisation,
        code=code,
        name="x",
        provider=factories.make_provider(organisation),
    )
    with pytest.raises(ValidationError) as refused:
        agent.full_clean()
    assert list(refused.value.message_dict) == ["code"]


@pytest.mark.req("AGENT-7")
@pytest.mark.parametrize("code", ["ab", "a" * 63, "hr-bot_2"])
def test_a_good_code_is_taken(organisation: Organisation, code: str) -> None:
    provider = factories.make_provider(organisation)
    Agent(organisation=organisation, code=code, name="x", provider=provider).full_clean()


@pytest.mark.req("AGENT-7")
def test_a_saved_code_stays(draft: Agent, operator: User) -> None:
    draft.code = "other"
    save(draft, operator)
    assert Agent.objects.get(pk=draft.pk).code == "helper"


@pytest.mark.parametrize(
    "suggestions", [["x"] * 5, [""], ["x" * 101], [1], {"a": "b"}, "text", [["x"]]]
)
def test_suggestions_are_four_short_texts_at_most(
    draft: Agent, operator: User, suggestions: Any
) -> None:
    draft.suggestions = suggestions
    with pytest.raises(ValidationError) as refused:
        save(draft, operator)
    assert list(refused.value.message_dict) == ["suggestions"]


def test_a_foreign_provider_cannot_be_bound(
    draft: Agent, operator: User, other_organisation: Organisation
) -> None:
    draft.provider = factories.make_provider(other_organisation)
    with pytest.raises(ValidationError) as refused:
        save(draft, operator)
    assert list(refused.value.message_dict) == ["provider"]
    draft.provider = factories.make_provider(other_organisation, name="common", shared=True)
    save(draft, operator)


def test_who_makes_an_agent_may_use_and_edit_it(organisation: Organisation, operator: User) -> None:
    provider = factories.make_provider(organisation)
    agent = Agent(organisation=organisation, code="fresh", name="x", provider=provider)
    with pytest.raises(RefusedError):
        create_draft(agent=agent, tools=(), actor=Actor.of(operator))
    operator.user_permissions.add(factories.permission_named("agents.add_agent"))
    create_draft(agent=agent, tools=("create_student",), actor=Actor.of(operator))
    actor = Actor.of(operator)
    rights = {right: may(actor, agent, right) for right in ("use_agent", "edit_agent")}
    assert rights == {"use_agent": True, "edit_agent": True}
    assert not may(actor, agent, "publish_agent")


@pytest.mark.case("VER-015")
def test_standing_compares_content(draft: Agent, root: User) -> None:
    assert standing_of(draft) is Standing.NEVER_PUBLISHED
    publish_agent(agent=draft, actor=Actor.of(root), note="")
    assert standing_of(draft) is Standing.IN_SYNC
    for prompt, standing in (("Q", Standing.CHANGED), ("Be brief.", Standing.IN_SYNC)):
        draft.prompt = prompt
        save(draft, root)
        assert standing_of(Agent.objects.get(pk=draft.pk)) is standing


def test_rights_are_looked_up_live(draft: Agent, operator: User, carol: User) -> None:
    actor = Actor.of(operator)
    assert may(actor, draft, "edit_agent")
    User.objects.filter(pk=operator.pk).update(is_active=False)
    assert not may(actor, draft, "edit_agent")
    factories.grant(carol, draft, "use_agent")
    assert not may(Actor.of(carol), draft, "use_agent")
    Agent.objects.filter(pk=draft.pk).update(shared=True)
    draft.refresh_from_db()
    assert may(Actor.of(carol), draft, "use_agent")
