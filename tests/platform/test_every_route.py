"""Whole-kind test: no route answers somebody it should not, and no route is without a rule.

The rows are what five people get: nobody signed in, alice (whose the conversation is), bob (same
organisation, same rights), carol (another organisation), dave (same organisation, no right at all).
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.test import Client

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.accounts.services.tokens import issue_token
from apps.agents.models import Agent
from apps.conversations.models import Conversation
from apps.conversations.services.conversations import create_conversation
from apps.lib.bridge import call
from tests import factories
from tests.platform.asgi_calls import ask
from tests.platform.routes import every_route

CHAT = "api/ai/chat/conversations/"
ONE = f"{CHAT}<str:conversation_id>/"
REQUEST_ID = "0b1e7c3a-5a56-4c83-9d8f-1f2a3b4c5d6e"


@dataclass(frozen=True)
class Rule:
    """What each of the five gets; `page` routes are asked with a session, others with a token."""

    method: str
    anonymous: int
    alice: int
    bob: int
    carol: int
    dave: int
    body: dict[str, Any] = field(default_factory=dict)
    page: bool = False


def public(method: str, status: int, **more: Any) -> Rule:
    return Rule(method, status, status, status, status, status, **more)


RULES: dict[str, tuple[Rule, ...]] = {
    "healthz": (public("GET", 200),),
    "readyz": (public("GET", 200),),
    "favicon.ico": (public("GET", 302),),
    "accounts/login/": (Rule("GET", 200, 302, 302, 302, 302, page=True),),
    "accounts/language/": (public("POST", 403, page=True),),
    "accounts/logout/": (public("POST", 403, page=True),),
    "api/auth/token/": (public("POST", 400),),
    "": (Rule("GET", 302, 200, 200, 200, 200, page=True),),
    "chat/<str:code>/": (Rule("GET", 302, 200, 200, 404, 404, page=True),),
    "c/<str:conversation_id>/": (Rule("GET", 302, 200, 404, 404, 404, page=True),),
    "c/<str:conversation_id>/rename/": (public("POST", 403, page=True),),
    "c/<str:conversation_id>/delete/": (public("POST", 403, page=True),),
    "api/docs/": (Rule("GET", 302, 200, 200, 200, 200, page=True),),
    "api/schema/": (Rule("GET", 401, 200, 200, 200, 200),),
    "metrics": (Rule("GET", 401, 403, 403, 403, 403, page=True),),
    "api/agents/": (Rule("GET", 401, 200, 200, 200, 200),),
    "api/agents/<str:code>/publish/": (Rule("POST", 401, 403, 403, 404, 404),),
    CHAT: (
        Rule("GET", 401, 200, 200, 200, 200),
        Rule("POST", 401, 201, 201, 404, 403, {"agent": "assistant"}),
    ),
    ONE: (
        Rule("GET", 401, 200, 404, 404, 404),
        Rule("PATCH", 401, 200, 404, 404, 404, {"title": "x"}),
        Rule("DELETE", 401, 204, 404, 404, 404),
    ),
    f"{ONE}messages/": (Rule("GET", 401, 200, 404, 404, 404),),
    f"{ONE}runs/<str:run_id>/stop": (Rule("POST", 401, 404, 404, 404, 404),),
    f"{ONE}runs/<str:run_id>/events": (Rule("GET", 401, 404, 404, 404, 404),),
    f"{ONE}stream": (
        Rule("POST", 401, 400, 404, 404, 404, {"content": "", "clientRequestId": REQUEST_ID}),
    ),
    f"{ONE}regenerate/stream": (
        Rule("POST", 401, 404, 404, 404, 404, {"messageId": 1, "clientRequestId": REQUEST_ID}),
    ),
    f"{ONE}forms/<str:form_id>/submit/stream": (
        Rule("POST", 401, 404, 404, 404, 404, {"values": {}, "clientRequestId": REQUEST_ID}),
    ),
}
CONSOLE = [route for route in every_route() if route.startswith("admin/")]
# What staff may open before anybody gave them a right: it shows nothing of the organisation's.
FOR_ALL_STAFF = {
    "admin/", "admin/jsi18n/", "admin/logout/", "admin/password_change/",
    "admin/password_change/done/",
}  # fmt: skip
ARGUMENTS = {
    "<str:code>": "assistant",
    "<str:run_id>": "run00000000",
    "<str:form_id>": "form0000000",
}


@pytest.fixture
def dave(organisation: Organisation) -> User:
    """No right of any kind."""
    return factories.make_user("dave", organisation)


@pytest.fixture
def conversation(assistant: Agent, alice: User) -> Conversation:
    return create_conversation(actor=Actor.of(alice), agent_code=assistant.code)


def without_rule(routes: list[str]) -> list[str]:
    return [route for route in routes if route not in RULES and not route.startswith("admin/")]


def test_every_route_has_its_rule() -> None:
    assert without_rule(every_route()) == []
    assert [route for route in RULES if route not in every_route()] == []


def test_a_new_route_is_noticed() -> None:
    assert without_rule([*every_route(), "api/secrets/"]) == ["api/secrets/"]


@pytest.mark.case("TEN-009")
@pytest.mark.req("MCP-6")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("route", list(RULES))
async def test_nobody_reaches_what_is_not_his(
    route: str, conversation: Conversation, alice: User, bob: User, carol: User, dave: User
) -> None:
    path = "/" + route.replace("<str:conversation_id>", conversation.pk)
    for mark, value in ARGUMENTS.items():
        path = path.replace(mark, value)
    people = {"anonymous": None, "dave": dave, "carol": carol, "bob": bob, "alice": alice}
    for rule in RULES[route]:
        got = {name: await answered(path, rule, user) for name, user in people.items()}
        assert got == {name: getattr(rule, name) for name in people}, rule.method


async def answered(path: str, rule: Rule, user: User | None) -> int:
    accept = "text/html" if rule.page else "application/json"
    headers = {"content-type": "application/json", "accept": accept}
    if user is not None:
        headers |= await call(signed_in, user, rule.page)
    answer = await ask(rule.method, path, headers=headers, body=json.dumps(rule.body).encode())
    assert answer.status < 500
    if answer.status >= 400 and path.startswith("/api/"):
        problem = json.loads(answer.body)
        assert answer.headers["content-type"] == "application/problem+json"
        assert set(problem) == {"title", "status", "code", "detail", "errors", "trace_id"}
        assert problem["trace_id"] == answer.headers["x-trace-id"]
    return answer.status


def signed_in(user: User, by_session: bool) -> dict[str, str]:
    if not by_session:
        return {"authorization": f"Token {issue_token(user=user)}"}
    client = Client()
    client.force_login(user)
    return {"cookie": f"sessionid={client.cookies['sessionid'].value}"}


def console_path(route: str) -> str:
    path = "/" + re.sub(r"<\w+:\w+>", "1", route)
    return re.sub(r"\^?\(\?P<\w+>[^)]*\)/?\$", "agents/", path)


@pytest.mark.django_db
@pytest.mark.parametrize("route", CONSOLE)
def test_the_console_is_for_staff(route: str, client: Client, alice: User) -> None:
    path = console_path(route)
    asked = client.get(path)
    assert asked.status_code == 302
    assert asked["Location"].startswith(("/admin/", "/accounts/login/"))
    client.force_login(alice)
    refused = client.get(path, follow=True)
    assert refused.status_code == 403


@pytest.mark.req("MCP-6")
@pytest.mark.django_db
@pytest.mark.parametrize("route", [route for route in CONSOLE if route not in FOR_ALL_STAFF])
def test_staff_without_a_right_see_and_do_nothing(
    route: str, client: Client, organisation: Organisation
) -> None:
    client.force_login(factories.make_user("newcomer", organisation, is_staff=True))
    for ask_for in (client.get, client.post):
        answer = ask_for(console_path(route))
        assert answer.status_code in (302, 403, 404, 405)
        if answer.status_code == 302:  # to where that page shows nothing
            assert answer["Location"].startswith(("/admin/", "/accounts/login/"))
