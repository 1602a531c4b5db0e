"""A filled-in form starts a run, once, and stands with it or not at all."""

import json
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.db import connection

from apps.accounts.actor import Actor
from apps.conversations.history import model_messages
from apps.conversations.models import Conversation, Message, Run
from apps.conversations.services.start_run import start_run
from apps.conversations.services.starting import RunRequest, StartedRun
from apps.forms.models import FormInstance
from apps.forms.services import submit
from apps.forms.services.submit import FormSubmission, parse_submit_body
from apps.lib.canonical import canonical_json, digest
from apps.lib.clock import now
from apps.lib.problem import Problem, RefusedError
from apps.runtime.messages import UserMessage
from tests.forms.conftest import SUMMARY, VALUES, Render

pytestmark = pytest.mark.django_db


def send(
    conversation: Conversation, form_id: str, values: Any, request_id: UUID | None = None
) -> StartedRun:
    """As the endpoint does it."""
    request_id = request_id or uuid4()
    body = {"values": values, "clientRequestId": str(request_id)}
    request = RunRequest(
        actor=Actor.of(conversation.user),
        conversation=conversation,
        client_request_id=request_id,
        body_digest=digest(canonical_json([form_id, body])),
        trace_id="0" * 32,
    )
    return start_run(request, parse_submit_body(body, form_id))


def refusal(conversation: Conversation, form_id: str, values: Any) -> Problem:
    with pytest.raises(RefusedError) as caught:
        send(conversation, form_id, values)
    return caught.value.problem


def finish(started: StartedRun) -> None:
    Run.objects.filter(pk=started.run_id).update(status=Run.Status.COMPLETED)


def is_pending(form: FormInstance) -> bool:
    form.refresh_from_db()
    entry = form.message.metadata["uiForms"][0]
    return (form.state, form.values, entry["status"]) == ("pending", "", "pending")


@pytest.mark.req("FORM-6")
def test_a_submission_becomes_message_and_run(
    conversation: Conversation, form: FormInstance
) -> None:
    request_id = uuid4()
    started = send(conversation, form.pk, VALUES, request_id)
    run = Run.objects.get(pk=started.run_id)
    assert run.user_message is not None
    assert run.user_message.content == SUMMARY
    assert run.user_message.metadata == {
        "clientRequestId": str(request_id),
        "skillKey": "assistant",
        "uiFormSubmission": {"formId": form.pk, "values": {"name": "张三", "age": 5}},
    }
    assert run.message.status == Message.Status.PENDING
    conversation.refresh_from_db()
    assert conversation.last_message_at is not None


@pytest.mark.req("FORM-6")
def test_the_model_gets_the_values_beside_the_sentence(
    conversation: Conversation, form: FormInstance
) -> None:
    values = {"name": "张三，年龄=9", "age": 5}
    started = send(conversation, form.pk, values)
    told = model_messages(conversation.pk, started.run_id)
    text = "已提交「新增学生」表单：姓名=张三，年龄=9，年龄=5，住校=未填写"
    assert told == (UserMessage(content=text, values=values),)


@pytest.mark.req("FORM-4", "FORM-6")
def test_the_form_shows_what_was_submitted(conversation: Conversation, form: FormInstance) -> None:
    send(conversation, form.pk, VALUES)
    form.refresh_from_db()
    assert (form.state, form.summary) == (FormInstance.State.SUBMITTED, SUMMARY)
    assert json.loads(form.values) == {"name": "张三", "age": 5}
    assert form.submitted_at is not None
    entry = form.message.metadata["uiForms"][0]
    assert (entry["status"], entry["submittedSummary"]) == ("submitted", SUMMARY)


@pytest.mark.req("FORM-5")
@pytest.mark.parametrize("form_id", ["none", "", "a\0b", "名", "x" * 300])
def test_an_unknown_form_is_not_found(conversation: Conversation, form_id: str) -> None:
    problem = refusal(conversation, form_id, VALUES)
    assert (problem.status, problem.code) == (404, "not_found")


@pytest.mark.req("FORM-5")
def test_a_form_of_another_conversation_is_not_found(
    conversation: Conversation, form: FormInstance
) -> None:
    other = Conversation.objects.create(
        user=conversation.user, agent=conversation.agent, created_at=now()
    )
    assert refusal(other, form.pk, VALUES).status == 404
    assert is_pending(form)


def test_a_form_of_a_superseded_answer_is_not_found(
    conversation: Conversation, form: FormInstance
) -> None:
    """Nobody is shown it any more, and the model was never told of it."""
    metadata = form.message.metadata | {"supersededBy": 1}
    Message.objects.filter(pk=form.message_id).update(metadata=metadata)
    problem = refusal(conversation, form.pk, VALUES)
    assert (problem.status, problem.code) == (404, "not_found")
    assert is_pending(form)


@pytest.mark.req("FORM-5")
def test_a_second_submission_is_a_conflict(conversation: Conversation, form: FormInstance) -> None:
    finish(send(conversation, form.pk, VALUES))
    problem = refusal(conversation, form.pk, "not even an object")
    assert (problem.status, problem.code) == (409, "form_submitted")


@pytest.mark.req("FORM-5")
def test_the_same_request_gets_the_first_run(
    conversation: Conversation, form: FormInstance
) -> None:
    request_id = uuid4()
    first = send(conversation, form.pk, VALUES, request_id)
    again = send(conversation, form.pk, VALUES, request_id)
    assert (again.run_id, again.replayed) == (first.run_id, True)
    with pytest.raises(RefusedError) as caught:
        send(conversation, form.pk, {"name": "李四"}, request_id)
    assert caught.value.problem.status == 422


@pytest.mark.req("FORM-5")
def test_a_run_in_progress_leaves_the_form_pending(
    conversation: Conversation, render: Render
) -> None:
    first, second = render(), render()
    send(conversation, first.pk, VALUES)
    problem = refusal(conversation, second.pk, {"name": 5})
    assert (problem.status, problem.code) == (409, "run_in_progress")
    second.refresh_from_db()
    assert second.state == FormInstance.State.PENDING


@pytest.mark.req("FORM-5")
@pytest.mark.parametrize(
    ("values", "paths"),
    [
        (None, [""]),
        ([], [""]),
        ("text", [""]),
        ({}, ["name"]),
        ({"name": "张三", "age": 19}, ["age"]),
        ({"name": "a\0b", "age": "5", "extra": 1}, ["age", "extra", "name"]),
        ({"name": "\ud800"}, ["name"]),
    ],
)
def test_bad_values_are_refused_by_field(
    conversation: Conversation, form: FormInstance, values: Any, paths: list[str]
) -> None:
    submission = FormSubmission(form_id=form.pk, values=values)
    submission.find(conversation)
    with pytest.raises(RefusedError) as caught:
        submission.content()
    assert (caught.value.problem.status, caught.value.problem.code) == (400, "validation")
    assert sorted(caught.value.problem.errors) == paths
    assert is_pending(form)


@pytest.mark.case("FORM-006")
@pytest.mark.req("FORM-5")
def test_an_error_of_the_whole_form_blocks_too(
    conversation: Conversation, form: FormInstance
) -> None:
    assert refusal(conversation, form.pk, [VALUES]).errors.keys() == {""}
    assert is_pending(form)
    assert not Run.objects.exists()
    assert not Message.objects.filter(role=Message.Role.USER).exists()


@pytest.mark.case("FORM-007")
def test_a_corrected_form_is_accepted(conversation: Conversation, form: FormInstance) -> None:
    assert refusal(conversation, form.pk, {"name": "张三", "age": "abc"}).errors.keys() == {"age"}
    assert send(conversation, form.pk, {"name": "张三", "age": 12}).replayed is False


def test_the_path_wins_over_the_body(conversation: Conversation, form: FormInstance) -> None:
    submission = parse_submit_body({"formId": "other", "values": VALUES}, form.pk)
    submission.find(conversation)
    assert submission.content().text == SUMMARY


def test_unknown_members_of_the_body_are_refused(
    conversation: Conversation, form: FormInstance
) -> None:
    submission = parse_submit_body({"values": VALUES, "status": "submitted"}, form.pk)
    submission.find(conversation)
    with pytest.raises(RefusedError) as caught:
        submission.content()
    assert caught.value.problem.errors.keys() == {"status"}


@pytest.mark.req("FORM-11")
def test_the_skill_travels_from_the_message(
    conversation: Conversation, message: Message, form: FormInstance
) -> None:
    asked = Message.objects.create(
        conversation=conversation,
        role=Message.Role.USER,
        metadata={"skillKey": "student"},
        created_at=now(),
    )
    Run.objects.create(
        conversation=conversation,
        user=conversation.user,
        user_message=asked,
        message=message,
        client_request_id=uuid4(),
        status=Run.Status.COMPLETED,
        created_at=now(),
    )
    started = send(conversation, form.pk, VALUES)
    told = Message.objects.get(started_run=started.run_id)
    assert told.metadata["skillKey"] == "student"


@pytest.mark.req("FORM-6")
def test_a_failure_after_the_update_undoes_all(
    conversation: Conversation, form: FormInstance, monkeypatch: pytest.MonkeyPatch
) -> None:
    class CutError(Exception):
        """Stands for a process that ends here."""

    def cut(name: str) -> None:
        assert name == "form.submitted"
        raise CutError

    monkeypatch.setattr(submit, "hit", cut)
    with pytest.raises(CutError):
        send(conversation, form.pk, VALUES)
    assert is_pending(form)
    assert not Run.objects.exists()
    assert Message.objects.count() == 1


@pytest.mark.req("FORM-5")
def test_who_reads_pending_too_early_loses(conversation: Conversation, form: FormInstance) -> None:
    late = FormSubmission(form_id=form.pk, values={"name": "李四"})
    late.find(conversation)
    late.content()
    started = send(conversation, form.pk, VALUES)
    run = Run.objects.get(pk=started.run_id)
    with pytest.raises(RefusedError) as caught:
        late.record(run, run.message)
    assert caught.value.problem.code == "form_submitted"
    form.refresh_from_db()
    assert form.summary == SUMMARY


@pytest.mark.req("FORM-5")
@pytest.mark.django_db(transaction=True)
def test_one_of_many_threads_wins(conversation: Conversation, form: FormInstance) -> None:
    barrier = Barrier(6)

    def attempt(number: int) -> int:
        barrier.wait()
        try:
            send(conversation, form.pk, {"name": f"学生{number}"})
        except RefusedError as error:
            return error.problem.status
        finally:
            connection.close()
        return 200

    with ThreadPoolExecutor(6) as pool:
        statuses = sorted(pool.map(attempt, range(6)))
    assert statuses == [200, 409, 409, 409, 409, 409]
    form.refresh_from_db()
    assert Message.objects.filter(role=Message.Role.USER).get().content == form.summary
