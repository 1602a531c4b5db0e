"""API tokens: given for a password, kept as digests, dead when they should be."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.authentication import authenticate_token
from apps.accounts.models import ApiToken, User
from apps.accounts.services.purge import purge_expired
from apps.accounts.services.tokens import KEPT, issue_token, revoke_token, user_of_token
from apps.lib import clock

TOKEN = "/api/auth/token/"


def ask(client: Client, body: Any) -> Any:
    return client.post(TOKEN, body, content_type="application/json")


@pytest.mark.django_db
def test_a_password_buys_a_token(client: Client, alice: User) -> None:
    answer = ask(client, {"username": "alice", "password": "password"})
    assert answer.status_code == 200
    key = answer.json()["token"]
    assert authenticate_token(f"Token {key}") == alice
    assert answer["Cache-Control"] == "no-store"
    assert client.get("/api/schema/", headers={"authorization": f"token {key}"}).status_code == 200


@pytest.mark.django_db
def test_the_key_itself_is_nowhere(alice: User) -> None:
    key = issue_token(user=alice)
    assert key not in str(list(ApiToken.objects.values()))


@pytest.mark.django_db
def test_a_wrong_password_buys_nothing(client: Client, alice: User) -> None:
    answer = ask(client, {"username": "alice", "password": "wrong"})
    assert answer.status_code == 401
    assert answer.json()["code"] == "invalid_credentials"
    assert answer["WWW-Authenticate"] == "Token"
    assert ApiToken.objects.count() == 0


@pytest.mark.django_db
def test_tries_are_limited_as_on_the_page(client: Client, alice: User, settings: Settings) -> None:
    settings.LOGIN_ATTEMPTS_PER_MINUTE = 2
    wrong = {"username": "alice", "password": "wrong"}
    assert [ask(client, wrong).status_code for _ in range(3)] == [401, 401, 429]
    answer = ask(client, {"username": "alice", "password": "password"})
    assert answer.json()["code"] == "rate_limited"
    assert int(answer["Retry-After"]) >= 1


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("body", "path"),
    [
        ({}, "username"),
        ({"username": "alice"}, "password"),
        ({"username": "a\0b", "password": "x"}, "username"),
        ({"username": "a" * 151, "password": "x"}, "username"),
        ({"username": ["alice"], "password": "x"}, "username"),
        ({"username": "alice", "password": "\ud800"}, "password"),
    ],
)
def test_a_bad_body_names_the_field(client: Client, body: Any, path: str) -> None:
    answer = ask(client, body)
    assert answer.status_code == 400
    assert answer.json()["code"] == "validation"
    assert path in answer.json()["errors"]


@pytest.mark.django_db
def test_dead_tokens_open_nothing(alice: User) -> None:
    revoked, expired = issue_token(user=alice), issue_token(user=alice)
    first, second = ApiToken.objects.order_by("pk")
    assert revoke_token(token=first) is True
    assert revoke_token(token=first) is False
    ApiToken.objects.filter(pk=second.pk).update(expires_at=clock.now() - timedelta(seconds=1))
    assert [user_of_token(key) for key in (revoked, expired, "", "x" * 9999)] == [None] * 4
    live = issue_token(user=alice)
    User.objects.update(is_active=False)
    assert user_of_token(live) is None


@pytest.mark.django_db
def test_only_the_newest_tokens_are_kept(alice: User, bob: User) -> None:
    of_bob = issue_token(user=bob)
    keys = [issue_token(user=alice) for _ in range(KEPT + 2)]
    assert [user_of_token(key) for key in keys[:3]] == [None, None, alice]
    assert user_of_token(of_bob) == bob


@pytest.mark.django_db
def test_what_has_run_out_is_purged(alice: User) -> None:
    issue_token(user=alice)
    dead = issue_token(user=alice)
    ApiToken.objects.filter(pk=ApiToken.objects.latest("pk").pk).update(
        expires_at=clock.now() - timedelta(days=1)
    )
    assert purge_expired() == 1
    assert user_of_token(dead) is None
    assert ApiToken.objects.count() == 1
