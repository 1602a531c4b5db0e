"""Another answer in place of the last one: what is asked, what is kept, and who is first."""

from typing import Any
from uuid import uuid4

import pytest

from apps.conversations.api.shapes import message_items
from apps.conversations.history import model_messages
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.services.regenerate import Regeneration, parse_regenerate_body
from apps.conversations.services.start_run import start_run
from apps.conversations.services.starting import StartedRun
from apps.runtime.messages import AssistantMessage, UserMessage
from tests.conversations.store.support import (
    asked,
    codes,
    commit,
    commit_partial,
    end,
    refusal,
    say,
    step,
    stored,
    together,
)

pytestmark = [pytest.mark.django_db, pytest.mark.req("RUN-11")]


def answered(conversation: Conversation, question: str, answer: str) -> StartedRun:
    """A turn that is over."""
    started = say(conversation, question)
    commit(started, step(0, answer))
    end(started, content=answer)
    return started


def again(
    conversation: Conversation,
    message_id: Any,
    *,
    request_id: str = "",
    owner: str = "",
    **more: Any,
) -> StartedRun:
    body = {"messageId": message_id, "clientRequestId": request_id or str(uuid4()), **more}
    return start_run(asked(conversation, body=body, owner=owner), parse_regenerate_body(body))


def told(conversation: Conversation, run: StartedRun) -> list[str]:
    """The texts that the model of this run is told."""
    found = model_messages(conversation.pk, run.run_id)
    return [m.content for m in found if isinstance(m, UserMessage | AssistantMessage)]


def test_question_is_answered_once_more(conversation: Conversation) -> None:
    answered(conversation, "first", "one")
    old = answered(conversation, "second", "two")
    new = again(conversation, old.message_id)
    assert told(conversation, new) == ["first", "one", "second"]
    commit(new, step(0, "another"))
    end(new, content="another")
    later = say(conversation, "third")
    assert told(conversation, later) == ["first", "one", "second", "another", "third"]


def test_old_answer_stays_and_says_by_what(conversation: Conversation) -> None:
    old = answered(conversation, "question", "old")
    request_id = str(uuid4())
    new = again(conversation, old.message_id, request_id=request_id)
    items = message_items(list(Message.objects.filter(conversation=conversation).order_by("pk")))
    assert [item["role"] for item in items] == ["user", "assistant", "assistant"]
    assert items[1]["metadata"] == {"supersededBy": new.message_id}
    assert (items[1]["content"], items[1]["parts"]) == ("old", [{"type": "text", "text": "old"}])
    assert items[2]["metadata"] == {"clientRequestId": request_id, "supersedes": old.message_id}


def test_answer_can_be_regenerated_again(conversation: Conversation) -> None:
    old = answered(conversation, "question", "old")
    for text in ("second", "third"):
        new = again(conversation, old.message_id)
        assert told(conversation, new) == ["question"]
        commit(new, step(0, text))
        end(new, content=text)
        old = new
    assert told(conversation, say(conversation, "next")) == ["question", "third", "next"]


def test_stopped_answer_is_not_told_either(conversation: Conversation) -> None:
    old = say(conversation, "question")
    commit(old, step(0, "said", "call1"))
    commit_partial(old, "half")
    end(old, "cancelled", content="said half")
    assert told(conversation, again(conversation, old.message_id)) == ["question"]


def test_claimed_run_opens_with_one_message(conversation: Conversation) -> None:
    old = answered(conversation, "question", "old")
    new = again(conversation, old.message_id, owner="me")
    assert (new.claimed, new.openings) == (True, 1)
    batch = EventBatch.objects.get(run_id=new.run_id)
    assert (batch.first, batch.last) == (10_000_001, 10_000_001)
    assert '"role":"assistant"' in batch.payload
    assert say_openings(conversation, new) == 2


def say_openings(conversation: Conversation, open_run: StartedRun) -> int:
    end(open_run)
    return say(conversation, "next", owner="me").openings


def test_same_request_gets_the_same_run(conversation: Conversation) -> None:
    old, request_id = answered(conversation, "question", "old"), str(uuid4())
    new = again(conversation, old.message_id, request_id=request_id)
    before = stored()
    repeated = again(conversation, old.message_id, request_id=request_id)
    assert (repeated.run_id, repeated.replayed) == (new.run_id, True)
    end(new)
    assert again(conversation, old.message_id, request_id=request_id).run_id == new.run_id
    assert stored() == before


def test_only_the_last_answer_is_regenerated(conversation: Conversation) -> None:
    first = answered(conversation, "first", "one")
    second = answered(conversation, "second", "two")
    before = stored()
    refused = refusal(lambda: again(conversation, first.message_id))
    assert (refused.status, refused.code) == (409, "not_last_message")
    assert stored() == before
    end(again(conversation, second.message_id))
    assert refusal(lambda: again(conversation, second.message_id)).code == "not_last_message"


def test_what_is_no_answer_here_is_missing(conversation: Conversation) -> None:
    started = answered(conversation, "question", "old")
    question = Run.objects.get(pk=started.run_id).user_message_id
    elsewhere = Conversation.objects.create(
        user=conversation.user, agent=conversation.agent, created_at=conversation.created_at
    )
    for place, message_id in (
        (conversation, question),
        (conversation, 10**12),
        (elsewhere, started.message_id),
    ):
        refused = refusal(lambda place=place, pk=message_id: again(place, pk))  # type: ignore[misc]
        assert (refused.status, refused.code) == (404, "not_found")


def test_open_run_is_not_regenerated(conversation: Conversation) -> None:
    started = say(conversation, "question")
    refused = refusal(lambda: again(conversation, started.message_id))
    assert (refused.status, refused.code) == (409, "run_in_progress")


@pytest.mark.parametrize("message_id", [None, "5", True, 0, -1, 1.5, 2**60, []])
def test_message_id_must_be_a_number(conversation: Conversation, message_id: Any) -> None:
    answered(conversation, "question", "old")
    refused = refusal(lambda: again(conversation, message_id))
    assert (refused.status, list(refused.errors)) == (400, ["messageId"])


def test_unknown_members_are_refused(conversation: Conversation) -> None:
    old = answered(conversation, "question", "old")
    refused = refusal(lambda: again(conversation, old.message_id, content="x"))
    assert list(refused.errors) == ["content"]


def test_answer_that_came_between_is_noticed(conversation: Conversation) -> None:
    """Found as the last one, and not the last one any more when it is recorded."""
    old = answered(conversation, "question", "old")
    late = Regeneration(data={"messageId": old.message_id})
    late.find(conversation)
    end(again(conversation, old.message_id))
    run = Run.objects.get(pk=answered(conversation, "next", "x").run_id)
    refused = refusal(lambda: late.record(run, None))
    assert refused.code == "not_last_message"


@pytest.mark.django_db(transaction=True)
def test_parallel_requests_give_one_answer(conversation: Conversation) -> None:
    old = answered(conversation, "question", "old")
    outcomes = together(4, lambda _: again(conversation, old.message_id))
    assert codes(outcomes).count("started") == 1
    assert set(codes(outcomes)) <= {"started", "run_in_progress", "not_last_message"}
    assert Message.objects.filter(metadata__has_key="supersededBy").count() == 1
    assert Run.objects.count() == 2
    assert Block.objects.filter(kind="user").count() == 1


@pytest.mark.django_db(transaction=True)
def test_parallel_repeats_get_the_same_run(conversation: Conversation) -> None:
    old, request_id = answered(conversation, "question", "old"), str(uuid4())
    outcomes = together(
        4, lambda _: again(conversation, old.message_id, request_id=request_id).run_id
    )
    assert len(set(outcomes)) == 1
    assert Run.objects.count() == 2
