"""What a deleted conversation held is gone at once; what the audit keeps stays, and verifies."""

from typing import Any

import pytest
from django.db import transaction
from django.test import Client
from django.urls import reverse

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit import chain, ledger
from apps.audit.models import AuditEntry, LegalHold
from apps.audit.services.holds import place
from apps.conversations.models import Block, Conversation, EventBatch, Message, Run
from apps.conversations.services.conversations import delete_conversation
from apps.conversations.tasks import remove_strays
from apps.forms.models import FormInstance
from apps.lib import clock
from apps.lib.canonical import digest
from apps.lib.ids import new_id
from apps.tools.models import ToolRun
from tests import factories
from tests.audit.rows import entry
from tests.conversations.store.support import codes, refusal, say, together

pytestmark = pytest.mark.django_db(transaction=True)
SECRET = "张三 13800000000"  # in everything that was said


def called(conversation: Conversation, run_id: str, **fields: Any) -> ToolRun:
    """A call with its audit.before, ended unless a status says otherwise."""
    values = {"status": "succeeded", "ok": True, "result": SECRET, "kind": "local"} | fields
    call_id, audit_id = new_id(), new_id()
    before = entry(
        audit_id=audit_id,
        user_id=conversation.user_id,
        run_id=run_id,
        tool_call_id=call_id,
        body="{}",
    )
    chain.append([before])
    return ToolRun.objects.create(
        tool_call_id=call_id,
        run_id=run_id,
        conversation_id=conversation.pk,
        step=0,
        index=ToolRun.objects.count(),
        name="create_student",
        arguments=SECRET,
        audit_id=audit_id,
        user_id=conversation.user_id,
        organisation_id=conversation.user.organisation_id,
        agent="assistant",
        trace_id="0" * 32,
        created_at=clock.now(),
        **values,
    )


def delete(conversation: Conversation) -> None:
    delete_conversation(actor=Actor.of(conversation.user), conversation_id=conversation.pk)


def outcomes() -> dict[str, str]:
    after = AuditEntry.objects.filter(phase="after")
    return dict(after.values_list("audit_id", "outcome"))


@pytest.mark.req("TOOL-28", "RUN-5")
def test_content_goes_at_once_and_the_audit_stays(conversation: Conversation) -> None:
    started = say(conversation, SECRET)
    call = called(conversation, started.run_id)
    FormInstance.objects.create(
        id=call.tool_call_id,
        conversation=conversation,
        message_id=started.message_id,
        schema=SECRET,
        created_at=clock.now(),
    )
    delete(conversation)
    for table in (Conversation, Message, Block, Run, EventBatch, FormInstance, ToolRun):
        assert not table._default_manager.exists(), table
    before, after = AuditEntry.objects.order_by("phase").reverse()
    assert (before.audit_id, after.audit_id) == (call.audit_id, call.audit_id)
    assert digest(SECRET) in after.body
    assert SECRET not in before.body + after.body
    assert list(ledger.verify()) == []


@pytest.mark.req("TOOL-28")
@pytest.mark.parametrize(
    ("status", "kind", "outcome"),
    [
        ("planned", "local", "not_executed"),
        ("started", "local", "not_executed"),
        ("started", "mcp", "unknown"),
        ("failed", "local", "failed"),
        ("refused", "local", "refused"),
    ],
)
def test_an_open_audit_is_closed_first(
    conversation: Conversation, status: str, kind: str, outcome: str
) -> None:
    started = say(conversation)
    ok = None if status in ("planned", "started") else False
    call = called(conversation, started.run_id, status=status, kind=kind, ok=ok)
    delete(conversation)
    assert outcomes() == {call.audit_id: outcome}
    assert list(ledger.verify()) == []


def test_a_closed_audit_is_not_closed_again(conversation: Conversation) -> None:
    call = called(conversation, say(conversation).run_id, audit_state="written")
    chain.append([entry(audit_id=call.audit_id, phase="after", outcome="succeeded")])
    delete(conversation)
    assert outcomes() == {call.audit_id: "succeeded"}


def test_a_call_without_its_audit_keeps_nothing_alive(conversation: Conversation) -> None:
    call = called(conversation, say(conversation).run_id)
    ToolRun.objects.filter(pk=call.pk).update(audit_id="gone")
    delete(conversation)
    assert not ToolRun.objects.exists()


def test_a_deletion_that_is_undone_closes_nothing(conversation: Conversation) -> None:
    called(conversation, say(conversation).run_id, status="planned", ok=None)
    with transaction.atomic():
        delete(conversation)
        transaction.set_rollback(True)
    assert outcomes() == {}
    assert ToolRun.objects.get().status == "planned"


@pytest.mark.req("TOOL-28")
@pytest.mark.parametrize("kind", ["conversation", "user", "organisation"])
def test_a_hold_stops_the_deletion(conversation: Conversation, alice: User, kind: str) -> None:
    call = called(conversation, say(conversation).run_id)
    keys = {
        "conversation": conversation.pk,
        "user": str(alice.pk),
        "organisation": str(alice.organisation_id),
    }
    hold = LegalHold.objects.create(
        kind=kind,
        key=keys[kind],
        reason="case 7",
        organisation_id=alice.organisation_id,
        placed_by="counsel",
        placed_at=clock.now(),
    )
    problem = refusal(lambda: delete(conversation))
    assert (problem.status, problem.code) == (409, "legal_hold")
    assert "case 7" not in problem.detail
    assert ToolRun.objects.get().result == call.result
    assert outcomes() == {}
    LegalHold.objects.filter(pk=hold.pk).update(lifted_at=clock.now())
    delete(conversation)
    assert not Conversation.objects.exists()


def test_the_page_says_why_it_does_not_delete(
    conversation: Conversation, alice: User, client: Client
) -> None:
    LegalHold.objects.create(
        kind="conversation", key=conversation.pk, reason="x", organisation_id=1, placed_by="x",
        placed_at=clock.now(),
    )  # fmt: skip
    client.force_login(alice)
    path = reverse("chat-delete", args=[conversation.pk])
    answer = client.post(path, headers={"accept-language": "en"})
    assert answer.status_code == 409
    assert "on legal hold" in answer.content.decode()
    assert Conversation.objects.exists()


@pytest.mark.req("TOOL-28")
def test_a_call_opened_meanwhile_goes_later(
    conversation: Conversation, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = called(conversation, "r1", audit_state="written")
    stray = called(conversation, "r2", audit_state="written")
    waiting = called(conversation, "r3")
    ToolRun.objects.exclude(pk=kept.pk).update(conversation_id="goneconvers")
    assert remove_strays.apply().get() == 0
    monkeypatch.setenv("CLOCK_OFFSET_S", "700")
    assert remove_strays.apply().get() == 1
    left = set(ToolRun.objects.values_list("pk", flat=True))
    assert left == {kept.pk, waiting.pk}
    assert stray.pk not in left


@pytest.mark.req("TOOL-28")
@pytest.mark.parametrize("attempt", range(5))
def test_hold_and_deletion_at_once_do_not_pass_each_other(
    conversation: Conversation, organisation: Organisation, attempt: int
) -> None:
    say(conversation)
    counsel = Actor.of(factories.make_user("counsel", organisation, "audit.add_legalhold"))

    def act(number: int) -> object:
        if number % 2:
            return place(actor=counsel, kind="conversation", key=conversation.pk, reason="x")
        delete(conversation)
        return None

    outcomes = together(2, act)
    held = LegalHold.objects.exists()
    assert held == Conversation.objects.exists()
    assert codes(outcomes) == ["legal_hold" if held else "not_found", "started"]
