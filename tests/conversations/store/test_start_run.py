"""What a started run writes, and what refuses it in which order."""

import json
from typing import Any
from uuid import uuid4

import pytest
from django.db.models.functions import Now

from apps.accounts.models import User
from apps.agents.models import Agent
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.refusals import conflict, invalid, not_found
from apps.conversations.services.start_run import start_run, title_of
from apps.conversations.stream.events import EPOCH_SPAN
from tests.conversations.store.support import Witness, asked, end, refusal, say, stored

pytestmark = pytest.mark.django_db
NOTHING = {"Message": 0, "Block": 0, "Run": 0, "EventBatch": 0, "RunLimit": 0}


def test_starting_writes_one_row_of_each(conversation: Conversation) -> None:
    started = say(conversation, "hello there", owner="host-1")
    user, assistant = Message.objects.order_by("pk")
    run = Run.objects.get()
    assert (user.role, user.content, user.status) == ("user", "hello there", "completed")
    assert (assistant.role, assistant.status, assistant.pk) == (
        "assistant",
        "pending",
        started.message_id,
    )
    assert {user.run_id, assistant.run_id} == {run.pk}
    assert (run.user_message_id, run.message_id) == (user.pk, assistant.pk)
    assert json.loads(Block.objects.get().payload) == {"content": "hello there"}
    conversation.refresh_from_db()
    assert conversation.title == "hello there"
    assert conversation.last_message_at is not None


def test_claimed_run_is_leased_and_opened(conversation: Conversation) -> None:
    started = say(conversation, owner="host-1")
    run = Run.objects.filter(lease_until__gt=Now()).get()
    assert (run.status, run.epoch, run.owner, run.attempts) == ("running", 1, "host-1", 1)
    assert started.claimed
    batch = EventBatch.objects.get()
    events = json.loads(batch.payload)
    assert [event[:2] for event in events] == [
        [EPOCH_SPAN + 1, "message.created"],
        [EPOCH_SPAN + 2, "message.created"],
    ]
    assert (batch.first, batch.last) == (EPOCH_SPAN + 1, EPOCH_SPAN + 2)
    assert [event[2]["role"] for event in events] == ["user", "assistant"]


def test_unclaimed_run_waits_without_events(conversation: Conversation) -> None:
    started = say(conversation)
    run = Run.objects.get()
    assert (run.status, run.epoch, run.owner, run.lease_until) == ("queued", 0, "", None)
    assert not started.claimed
    assert not EventBatch.objects.exists()


def test_run_is_pinned_to_live_record(conversation: Conversation, assistant: Agent) -> None:
    started = say(conversation)
    run = Run.objects.get()
    assert assistant.live is not None
    assert (run.record_id, run.snapshot_digest) == (assistant.live.pk, assistant.live.digest)
    assert (run.agent_version, started.agent_version, run.variant) == ("1", "1", "published")


def test_title_stays_once_given(conversation: Conversation) -> None:
    end(say(conversation, "first words"))
    say(conversation, "second words")
    conversation.refresh_from_db()
    assert conversation.title == "first words"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("  one\n two  ", "one two"),
        ("x" * 40, "x" * 40),
        ("x" * 41, "x" * 39 + "…"),
        ("帮我新增一个学生", "帮我新增一个学生"),
    ],
)
def test_title_is_one_short_line(text: str, title: str) -> None:
    assert title_of(text) == title


@pytest.mark.req("RUN-7")
def test_known_request_id_finds_its_run(conversation: Conversation) -> None:
    request_id = str(uuid4())
    first = say(conversation, request_id=request_id)
    before = stored()
    again = say(conversation, request_id=request_id, owner="host-2")
    assert (again.run_id, again.message_id) == (first.run_id, first.message_id)
    assert (first.replayed, again.replayed, again.claimed) == (False, True, False)
    assert stored() == before


@pytest.mark.req("RUN-7")
def test_known_request_id_with_other_body_conflicts(conversation: Conversation) -> None:
    request_id = str(uuid4())
    say(conversation, "one", request_id=request_id)
    before = stored()
    problem = refusal(lambda: say(conversation, "two", request_id=request_id))
    assert (problem.status, problem.code) == (422, "request_id_conflict")
    assert stored() == before


def test_same_request_id_elsewhere_is_new(conversation: Conversation, assistant: Agent) -> None:
    other = Conversation.objects.create(
        user=conversation.user, agent=assistant, created_at=conversation.created_at
    )
    request_id = str(uuid4())
    assert not say(conversation, request_id=request_id).replayed
    assert not say(other, request_id=request_id).replayed


@pytest.mark.req("RUN-8")
@pytest.mark.parametrize(
    ("status", "code"),
    [
        ("queued", "run_in_progress"),
        ("running", "run_in_progress"),
        ("waiting", "decision_pending"),
    ],
)
def test_open_run_refuses_another(conversation: Conversation, status: str, code: str) -> None:
    say(conversation)
    Run.objects.update(status=status)
    before = stored()
    problem = refusal(lambda: say(conversation, "more"))
    assert (problem.status, problem.code) == (409, code)
    assert stored() == before


@pytest.mark.req("RUN-8")
@pytest.mark.parametrize("status", ["completed", "cancelled", "failed"])
def test_ended_run_allows_the_next(conversation: Conversation, status: str) -> None:
    end(say(conversation), status)
    assert not say(conversation, "more").replayed


def test_checks_come_in_contract_order(conversation: Conversation, settings: Any) -> None:
    """Each refusal is met before the next could be."""
    settings.RUNS_PER_MINUTE, settings.OPEN_RUNS_PER_USER = 1, 0
    missing, wrong = not_found(), invalid({"content": ["no"]})
    body = {"clientRequestId": str(uuid4())}
    nowhere = Witness(refuse_find=missing, refuse_content=wrong)
    assert refusal(lambda: start_run(asked(conversation, body=body), nowhere)).status == 404
    say(conversation)  # takes the only start of this minute, and stays open
    refused = Witness(refuse_find=missing)
    assert refusal(lambda: start_run(asked(conversation, body=body), refused)).status == 429
    settings.RUNS_PER_MINUTE = 0
    assert refusal(lambda: start_run(asked(conversation, body=body), nowhere)).status == 404
    badly = Witness(refuse_content=wrong)
    assert refusal(lambda: start_run(asked(conversation, body=body), badly)).status == 409
    Run.objects.update(status="completed")
    assert refusal(lambda: start_run(asked(conversation, body=body), badly)).status == 400
    assert (nowhere.calls, refused.calls, badly.calls) == (
        ["find"] * 2,
        [],
        ["find", "find", "content"],
    )


@pytest.mark.parametrize(
    "witness",
    [
        Witness(refuse_find=not_found()),
        Witness(refuse_content=invalid({"": ["no"]})),
        Witness(refuse_record=conflict("form_submitted", "")),
    ],
    ids=["find", "content", "record"],
)
@pytest.mark.req("RUN-3")
def test_refused_submission_leaves_nothing(conversation: Conversation, witness: Witness) -> None:
    request = asked(conversation, body={"clientRequestId": str(uuid4())}, owner="host-1")
    refusal(lambda: start_run(request, witness))
    assert stored() == NOTHING
    conversation.refresh_from_db()
    assert (conversation.title, conversation.last_message_at) == ("", None)


@pytest.mark.parametrize("state", ["disabled", "retired"])
def test_disabled_agent_starts_nothing(conversation: Conversation, state: str) -> None:
    Agent.objects.update(state=state)
    problem = refusal(lambda: say(conversation))
    assert (problem.status, problem.code) == (409, "agent_disabled")
    assert stored() == NOTHING


def test_disabled_agent_still_replays(conversation: Conversation) -> None:
    request_id = str(uuid4())
    say(conversation, request_id=request_id)
    Agent.objects.update(state="disabled")
    assert say(conversation, request_id=request_id).replayed


def test_unpublished_agent_never_answers_with_draft(conversation: Conversation) -> None:
    Agent.objects.update(live=None)
    problem = refusal(lambda: say(conversation))
    assert (problem.status, problem.code) == (503, "agent_not_published")


def test_draft_answers_its_editors_only(
    conversation: Conversation, operator: User, assistant: Agent
) -> None:
    conversation.variant = Conversation.Variant.DRAFT
    conversation.save()
    assert refusal(lambda: say(conversation)).status == 403
    tried = Conversation.objects.create(
        user=operator, agent=assistant, variant="draft", created_at=conversation.created_at
    )
    started = say(tried)
    assert started.agent_version == "draft"
    assert Run.objects.get().record_id is None


@pytest.mark.case("STR-030")
def test_the_server_gives_places_whatever_is_claimed(conversation: Conversation) -> None:
    for _ in range(3):
        end(say(conversation), content="answer")
    places = list(Message.objects.order_by("pk").values_list("pk", flat=True))
    started = say(conversation, "late", position=2)
    after = list(Message.objects.order_by("pk").values_list("pk", flat=True))
    assert after[:6] == places
    assert after[6:] == [started.message_id - 1, started.message_id]
