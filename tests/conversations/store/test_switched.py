"""What operators have switched off starts no run."""

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.conversations.models import Conversation, Run
from apps.lib.problem import RefusedError
from apps.tools.services.switches import switch_off, switch_on
from tests import factories
from tests.conversations.store.support import say

pytestmark = pytest.mark.django_db(transaction=True)
WHY = "under examination"


@pytest.fixture
def chief(operator: User) -> Actor:
    operator.user_permissions.add(factories.permission_named("tools.change_switch"))
    return Actor.of(operator)


@pytest.mark.req("TOOL-27")
@pytest.mark.parametrize(
    ("kind", "status", "code"),
    [
        ("user", 403, "permission_denied"),
        ("agent", 409, "agent_disabled"),
        ("provider", 409, "provider_disabled"),
    ],
)
def test_what_is_off_starts_no_run(
    conversation: Conversation, chief: Actor, kind: str, status: int, code: str
) -> None:
    key = {
        "user": str(conversation.user_id),
        "agent": conversation.agent.code,
        "provider": str(conversation.agent.provider_id),
    }[kind]
    switch_off(actor=chief, kind=kind, key=key, reason=WHY)
    with pytest.raises(RefusedError) as caught:
        say(conversation)
    problem = caught.value.problem
    assert (problem.status, problem.code, WHY in problem.detail) == (status, code, True)
    assert not Run.objects.exists()
    switch_on(actor=chief, kind=kind, key=key, reason="cleared")
    assert say(conversation).run_id


@pytest.mark.req("TOOL-27")
def test_another_organisations_agent_is_not_found(conversation: Conversation, carol: User) -> None:
    carol.user_permissions.add(factories.permission_named("tools.change_switch"))
    for kind, key in (
        ("agent", conversation.agent.code),
        ("provider", str(conversation.agent.provider_id)),
    ):
        with pytest.raises(RefusedError) as caught:
            switch_off(actor=Actor.of(carol), kind=kind, key=key, reason=WHY)
        assert caught.value.problem.status == 404
