"""Beginning, tightening and removing conversations."""

import pytest
from guardian.shortcuts import remove_perm

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.services.admission import own_conversation, require_use
from apps.conversations.services.conversations import (
    change_conversation,
    create_conversation,
    delete_conversation,
)
from apps.conversations.session_source import details_of
from apps.lib.clock import now
from apps.tools.models import ToolRun
from apps.tools.registry.context import AgentContext, Trace
from tests.conversations.store.support import refusal, republish, say

pytestmark = pytest.mark.django_db


def begin(user: User, agent: Agent, variant: str = "published") -> Conversation:
    return create_conversation(actor=Actor.of(user), agent_code=agent.code, variant=variant)


def test_conversation_inherits_the_modes(alice: User, assistant: Agent) -> None:
    Agent.objects.update(permission_mode="CONFIRM_ALL", plan_mode="REQUIRED")
    assert begin(alice, assistant).permission_mode == "DEFAULT"
    republish(assistant)
    begun = begin(alice, assistant)
    assert (begun.permission_mode, begun.plan_mode) == ("CONFIRM_ALL", "REQUIRED")


def test_agent_out_of_reach_is_not_found(carol: User, assistant: Agent) -> None:
    problem = refusal(lambda: begin(carol, assistant))
    assert (problem.status, problem.code) == (404, "not_found")


def test_unknown_agent_is_not_found(alice: User) -> None:
    problem = refusal(lambda: create_conversation(actor=Actor.of(alice), agent_code="nobody"))
    assert problem.status == 404


def test_draft_needs_the_edit_right(alice: User, operator: User, assistant: Agent) -> None:
    assert refusal(lambda: begin(alice, assistant, "draft")).status == 403
    assert begin(operator, assistant, "draft").variant == "draft"


def test_chatting_needs_its_permission(alice: User, assistant: Agent) -> None:
    alice.user_permissions.clear()
    assert refusal(lambda: begin(alice, assistant)).status == 403


@pytest.mark.parametrize(("state", "status"), [("disabled", 409), ("retired", 409)])
def test_switched_off_agent_begins_nothing(
    alice: User, assistant: Agent, state: str, status: int
) -> None:
    Agent.objects.update(state=state)
    assert refusal(lambda: begin(alice, assistant)).status == status
    assert not Conversation.objects.exists()


def test_unpublished_agent_begins_nothing(alice: User, assistant: Agent) -> None:
    Agent.objects.update(live=None)
    assert refusal(lambda: begin(alice, assistant)).status == 503


@pytest.mark.parametrize("conversation_id", ["nothing", "", "a\x00b", "a/b", "学"])
def test_missing_conversation_is_not_found(alice: User, conversation_id: str) -> None:
    assert refusal(lambda: own_conversation(Actor.of(alice), conversation_id)).status == 404


def test_foreign_conversation_is_not_found(conversation: Conversation, bob: User) -> None:
    assert refusal(lambda: own_conversation(Actor.of(bob), conversation.pk)).status == 404


def test_lost_right_keeps_reading_only(conversation: Conversation, alice: User) -> None:
    remove_perm("agents.use_agent", alice, conversation.agent)
    actor = Actor.of(alice)
    assert own_conversation(actor, conversation.pk) == conversation
    assert refusal(lambda: require_use(actor, conversation.agent)).status == 403


@pytest.mark.parametrize(
    ("now_mode", "wanted", "allowed"),
    [
        ("DEFAULT", "DEFAULT", True),
        ("DEFAULT", "CONFIRM_ALL", True),
        ("DEFAULT", "READ_ONLY", True),
        ("CONFIRM_ALL", "READ_ONLY", True),
        ("CONFIRM_ALL", "DEFAULT", False),
        ("READ_ONLY", "CONFIRM_ALL", False),
        ("READ_ONLY", "DEFAULT", False),
    ],
)
def test_permission_mode_only_tightens(
    conversation: Conversation, alice: User, now_mode: str, wanted: str, allowed: bool
) -> None:
    Conversation.objects.update(permission_mode=now_mode)

    def change() -> Conversation:
        return change_conversation(
            actor=Actor.of(alice), conversation_id=conversation.pk, permission_mode=wanted
        )

    if allowed:
        assert change().permission_mode == wanted
    else:
        assert list(refusal(change).errors) == ["permissionMode"]
        assert Conversation.objects.get().permission_mode == now_mode


@pytest.mark.parametrize(("now_mode", "wanted"), [("REQUIRED", "OPTIONAL"), ("OPTIONAL", "OFF")])
def test_plan_mode_never_loosens(
    conversation: Conversation, alice: User, now_mode: str, wanted: str
) -> None:
    Conversation.objects.update(plan_mode=now_mode)
    problem = refusal(
        lambda: change_conversation(
            actor=Actor.of(alice), conversation_id=conversation.pk, title="new", plan_mode=wanted
        )
    )
    assert list(problem.errors) == ["planMode"]
    assert Conversation.objects.get().title == ""


@pytest.mark.req("RUN-5")
def test_deleting_removes_all_that_belongs(conversation: Conversation, alice: User) -> None:
    started = say(conversation, owner="host-1")
    kept = begin(alice, conversation.agent)
    say(kept)
    _tool_run("call1", conversation.pk, started.run_id)
    _tool_run("call2", kept.pk, "other")
    delete_conversation(actor=Actor.of(alice), conversation_id=conversation.pk)
    assert list(Conversation.objects.all()) == [kept]
    assert [run.conversation_id for run in Run.objects.all()] == [kept.pk]
    assert Message.objects.count() == 2
    assert Block.objects.count() == 1
    assert not EventBatch.objects.exists()
    assert [call.tool_call_id for call in ToolRun.objects.all()] == ["call2"]


def test_nobody_deletes_anothers(conversation: Conversation, bob: User) -> None:
    problem = refusal(
        lambda: delete_conversation(actor=Actor.of(bob), conversation_id=conversation.pk)
    )
    assert problem.status == 404
    assert Conversation.objects.exists()


def test_tools_learn_of_their_session(conversation: Conversation, alice: User) -> None:
    Conversation.objects.update(permission_mode="READ_ONLY")
    alice.department, alice.region, alice.locale = "d", "r", "en"
    alice.save()
    details = details_of(_context(alice, conversation.pk))
    assert (details.locale, details.department, details.region) == ("en", "d", "r")
    assert (details.permission_mode, details.plan_mode) == ("READ_ONLY", "OFF")
    assert "students.add_student" in details.permissions


def test_session_of_anothers_conversation_is_unknown(conversation: Conversation, bob: User) -> None:
    Conversation.objects.update(permission_mode="READ_ONLY")
    assert details_of(_context(bob, conversation.pk)).permission_mode == "DEFAULT"


def _context(user: User, session_id: str) -> AgentContext:
    return AgentContext(
        user_id=user.pk,
        organization_id=user.organisation_id,
        surface="chat",
        session_id=session_id,
        turn_id="",
        trace=Trace(trace_id="0" * 32),
    )


def _tool_run(call_id: str, conversation_id: str, run_id: str) -> None:
    ToolRun.objects.create(
        tool_call_id=call_id,
        run_id=run_id,
        conversation_id=conversation_id,
        step=0,
        index=0,
        name="look",
        audit_id=call_id,
        user_id=1,
        organisation_id=1,
        agent="assistant",
        trace_id="0" * 32,
        created_at=now(),
    )
