"""What the model is told of earlier turns."""

import pytest

from apps.conversations.history import model_messages, parts_by_run, recorded_steps
from apps.conversations.models import Block, Conversation, Message
from apps.conversations.step_payload import payload_of, step_of
from apps.lib.clock import now
from apps.runtime.messages import AssistantMessage, ToolCall, ToolMessage, Usage, UserMessage
from apps.runtime.steps import Step
from apps.tools.models import ToolRun
from tests.conversations.store.support import commit, commit_partial, end, say, step

pytestmark = pytest.mark.django_db


def answer(run_id: str, call_id: str, content: str) -> None:
    place = ToolRun.objects.count()
    ToolRun.objects.create(
        tool_call_id=call_id,
        run_id=run_id,
        conversation_id="c",
        step=place,
        index=0,
        name="look",
        status="succeeded",
        ok=True,
        result='{"found":1}',
        content=content,
        audit_id=call_id,
        user_id=1,
        organisation_id=1,
        agent="assistant",
        trace_id="0" * 32,
        created_at=now(),
    )


def test_first_turn_is_the_question_alone(conversation: Conversation) -> None:
    started = say(conversation, "hello")
    assert model_messages(conversation.pk, started.run_id) == (UserMessage(content="hello"),)


def test_earlier_turns_come_in_order(conversation: Conversation) -> None:
    first = say(conversation, "look it up")
    commit(first, step(0, "Let me look.", "call1"), step(1, "Found it."))
    answer(first.run_id, "call1", "1 row")
    end(first)
    second = say(conversation, "and now?")
    assert model_messages(conversation.pk, second.run_id) == (
        UserMessage(content="look it up"),
        AssistantMessage(
            content="Let me look.", calls=(ToolCall(id="call1", name="look", arguments={"n": 1}),)
        ),
        ToolMessage(call_id="call1", name="look", content="1 row"),
        AssistantMessage(content="Found it."),
        UserMessage(content="and now?"),
    )


def test_own_steps_are_not_history(conversation: Conversation) -> None:
    started = say(conversation, "hello")
    commit(started, step(0, "Hm", "call1"))
    assert model_messages(conversation.pk, started.run_id) == (UserMessage(content="hello"),)


@pytest.mark.case("STR-007")
def test_stopped_answer_is_remembered(conversation: Conversation) -> None:
    first = say(conversation, "my code is 417")
    commit_partial(first, "Noted")
    end(first, "cancelled", content="Noted")
    second = say(conversation, "what is my code?")
    assert model_messages(conversation.pk, second.run_id) == (
        UserMessage(content="my code is 417"),
        AssistantMessage(content="Noted"),
        UserMessage(content="what is my code?"),
    )
    assert [message.content for message in Message.objects.order_by("pk")] == [
        "my code is 417",
        "Noted",
        "what is my code?",
        "",
    ]


def test_unanswered_call_gets_an_answer(conversation: Conversation) -> None:
    first = say(conversation)
    commit(first, step(0, "", "call1", "call2"))
    answer(first.run_id, "call1", "done")
    end(first, "failed")
    second = say(conversation)
    told = model_messages(conversation.pk, second.run_id)[2:4]
    assert [message.call_id for message in told if isinstance(message, ToolMessage)] == [
        "call1",
        "call2",
    ]
    assert all(message.content for message in told)


def test_silent_step_is_left_out(conversation: Conversation) -> None:
    first = say(conversation)
    commit(first, step(0, ""))
    end(first, "failed")
    second = say(conversation, "again")
    assert len(model_messages(conversation.pk, second.run_id)) == 2


def test_archived_blocks_give_way_to_summary(conversation: Conversation) -> None:
    first = say(conversation, "old")
    commit(first, step(0, "long ago"))
    end(first)
    Block.objects.update(archived_at=now())
    Block.objects.create(
        conversation=conversation,
        run_id=first.run_id,
        kind=Block.Kind.SUMMARY,
        key="summary",
        payload='{"content":"they met"}',
        created_at=now(),
    )
    second = say(conversation, "new")
    assert model_messages(conversation.pk, second.run_id) == (
        UserMessage(content="they met"),
        UserMessage(content="new"),
    )


def test_other_conversations_stay_out(conversation: Conversation) -> None:
    other = Conversation.objects.create(
        user=conversation.user, agent=conversation.agent, created_at=now()
    )
    end(say(other, "secret"))
    started = say(conversation, "hello")
    assert model_messages(conversation.pk, started.run_id) == (UserMessage(content="hello"),)


def test_recorded_steps_carry_durable_answers(conversation: Conversation) -> None:
    started = say(conversation)
    steps = (step(0, "A", "call1", "call2"), step(1, "B"))
    commit(started, *steps)
    answer(started.run_id, "call2", "two")
    recorded = recorded_steps(started.run_id)
    assert tuple(one.step for one in recorded) == steps
    assert [sorted(one.answers) for one in recorded] == [["call2"], []]


def test_partial_text_is_no_recorded_step(conversation: Conversation) -> None:
    started = say(conversation)
    commit(started, step(0, "A"))
    commit_partial(started, "half")
    assert [one.step.text for one in recorded_steps(started.run_id)] == ["A"]


@pytest.mark.case("STR-002")
def test_parts_keep_the_order_of_the_stream(conversation: Conversation) -> None:
    started = say(conversation)
    commit(started, step(0, "A", "c1"), step(1, "B", "c2"), step(2, "C"))
    assert parts_by_run([started.run_id])[started.run_id] == [
        {"type": "text", "text": "A"},
        {"type": "tool", "toolCallId": "c1"},
        {"type": "text", "text": "B"},
        {"type": "tool", "toolCallId": "c2"},
        {"type": "text", "text": "C"},
    ]


def test_step_survives_its_payload() -> None:
    call = ToolCall(id="c", name="n", arguments={"é": [1, None]}, arguments_error="cut off")
    whole = Step(
        index=3,
        text="文",
        reasoning="why",
        calls=(call,),
        finish_reason="length",
        usage=Usage(prompt=None, completion=4),
    )
    assert step_of(payload_of(whole)) == whole


@pytest.mark.req("RUN-5")
def test_a_turn_writes_only_its_own_blocks(
    conversation: Conversation, django_assert_num_queries: object
) -> None:
    """What a turn costs to store does not grow with what was said before."""
    counted = []
    for turn in range(4):
        before = Block.objects.count()
        started = say(conversation, f"turn {turn}")
        commit(started, step(0, "answer"))
        end(started)
        counted.append(Block.objects.count() - before)
    assert counted == [2, 2, 2, 2]


@pytest.mark.req("RUN-5")
def test_reading_history_takes_two_queries(
    conversation: Conversation, django_assert_num_queries: object
) -> None:
    for turn in range(5):
        started = say(conversation, f"turn {turn}")
        commit(started, step(0, "", f"call{turn}"))
        answer(started.run_id, f"call{turn}", "x")
        end(started)
    last = say(conversation, "last")
    with django_assert_num_queries(2):  # type: ignore[operator]
        assert len(model_messages(conversation.pk, last.run_id)) == 16
