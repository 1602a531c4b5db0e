"""A deleted person takes along what that person said; what the person did stays in the audit."""

import pytest
from django.test import Client

from apps.accounts.actor import Actor
from apps.accounts.models import ApiToken, Organisation, User
from apps.accounts.services.tokens import issue_token
from apps.agents.models import Agent
from apps.audit import ledger
from apps.audit.models import AuditEntry, ConfigAuditLog, LegalHold
from apps.conversations.models import Conversation, Message, Run
from apps.conversations.services import delete_user
from apps.lib import clock
from apps.lib.problem import Problem
from apps.tools.models import ToolRun
from tests import factories
from tests.conversations.store.support import refusal, say
from tests.conversations.store.test_erasing import called

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def clerk(organisation: Organisation) -> User:
    rights = ("accounts.delete_user", "accounts.view_user", "accounts.change_user")
    return factories.make_user("clerk", organisation, *rights, is_staff=True)


def refused(actor: User, user: User, reason: str = "left") -> Problem:
    return refusal(
        lambda: delete_user.delete(actor=Actor.of(actor), user_id=user.pk, reason=reason)
    )


@pytest.mark.req("TOOL-28")
def test_content_goes_and_the_audit_stays(
    clerk: User, alice: User, assistant: Agent, conversation: Conversation
) -> None:
    call = called(conversation, say(conversation).run_id)
    issue_token(user=alice)
    Agent.objects.update(updated_by=alice)
    key = alice.pk
    delete_user.delete(actor=Actor.of(clerk), user_id=alice.pk, reason="left")
    for table in (Conversation, Message, Run, ToolRun, ApiToken):
        assert not table._default_manager.exists(), table
    assert not User.objects.filter(pk=key).exists()
    assert Agent.objects.get().updated_by is None
    assert AuditEntry.objects.filter(audit_id=call.audit_id, user_id=key).count() == 2
    told = ConfigAuditLog.objects.get(action="delete_user")
    assert (told.username, told.object_key, told.reason) == ("clerk", str(key), "left")
    assert told.before == '{"conversations":1,"username":"alice"}'
    assert list(ledger.verify()) == []


@pytest.mark.req("TOOL-28")
@pytest.mark.parametrize("kind", ["conversation", "user", "organisation"])
def test_a_hold_keeps_the_person(
    clerk: User, alice: User, conversation: Conversation, kind: str
) -> None:
    say(conversation)
    keys = {
        "conversation": conversation.pk,
        "user": alice.pk,
        "organisation": clerk.organisation_id,
    }
    LegalHold.objects.create(
        kind=kind, key=str(keys[kind]), reason="x", organisation_id=1, placed_by="x",
        placed_at=clock.now(),
    )  # fmt: skip
    assert refused(clerk, alice).code == "legal_hold"
    assert Message.objects.exists()
    assert User.objects.filter(pk=alice.pk).exists()


def test_who_may_not_or_reaches_too_far_deletes_nobody(
    clerk: User, alice: User, bob: User, carol: User, organisation: Organisation
) -> None:
    root = factories.make_user("root", organisation, is_superuser=True)
    assert refused(alice, bob).status == 403
    assert refused(clerk, carol).status == 404
    assert refused(clerk, root).status == 404
    assert refused(clerk, clerk).code == "own_account"
    assert refused(clerk, alice, reason=" ").errors
    assert User.objects.count() == 5


# The console -------------------------------------------------------------------------------------
def page(user: User) -> str:
    return f"/admin/accounts/user/{user.pk}/delete/"


def test_the_page_says_what_goes_and_asks_why(
    client: Client, clerk: User, alice: User, conversation: Conversation
) -> None:
    say(conversation)
    client.force_login(clerk)
    shown = client.get(page(alice), headers={"accept-language": "en"}).content.decode()
    assert "Conversation: 1" in shown
    assert "Message: 2" in shown
    assert client.post(page(alice), {"reason": ""}).status_code == 200
    assert User.objects.filter(pk=alice.pk).exists()
    answer = client.post(page(alice), {"reason": "left"})
    assert (answer.status_code, answer["location"]) == (302, "/admin/accounts/user/")
    assert not User.objects.filter(pk=alice.pk).exists()
    assert not Message.objects.exists()


def test_the_page_shows_why_it_refuses(client: Client, clerk: User) -> None:
    client.force_login(clerk)
    answer = client.post(page(clerk), {"reason": "left"}, headers={"accept-language": "en"})
    assert answer.status_code == 409
    assert "your own account" in answer.content.decode()


def test_the_page_is_for_whoever_may(client: Client, clerk: User, carol: User, bob: User) -> None:
    client.force_login(clerk)
    assert client.get(page(carol)).status_code == 302
    clerk.user_permissions.remove(factories.permission_named("accounts.delete_user"))
    assert client.get(page(bob)).status_code == 403


def test_people_are_not_deleted_in_bulk(client: Client, clerk: User, alice: User) -> None:
    client.force_login(clerk)
    fields = {"action": "delete_selected", "_selected_action": [alice.pk], "post": "yes"}
    client.post("/admin/accounts/user/", fields)
    assert User.objects.filter(pk=alice.pk).exists()
