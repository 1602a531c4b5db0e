"""Signing in and out: pages, tries, languages."""

import pytest
from django.conf import settings as django_settings
from django.test import Client
from pytest_django.fixtures import Settings

from apps.accounts.models import User

LOGIN = "/accounts/login/"


def sign_in(client: Client, name: str, password: str, address: str = "127.0.0.1") -> int:
    answer = client.post(LOGIN, {"username": name, "password": password}, REMOTE_ADDR=address)
    return answer.status_code


@pytest.mark.django_db
def test_the_right_password_opens_the_front_page(client: Client, alice: User) -> None:
    answer = client.post(LOGIN, {"username": "alice", "password": "password"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "alice" in answer.content.decode()


@pytest.mark.django_db
def test_one_lands_where_one_wanted_to_go(client: Client, alice: User) -> None:
    fields = {"username": "alice", "password": "password", "next": "/api/docs/"}
    assert client.post(LOGIN, fields)["Location"] == "/api/docs/"
    elsewhere = Client().post(LOGIN, {**fields, "next": "https://evil.example/"})
    assert elsewhere["Location"] == "/"


@pytest.mark.django_db
def test_a_wrong_password_and_a_wrong_name_look_alike(client: Client, alice: User) -> None:
    texts = []
    for name in ("alice", "nobody"):
        answer = client.post(LOGIN, {"username": name, "password": "wrong"})
        assert answer.status_code == 200
        texts.append(answer.context["form"].non_field_errors())
    assert texts[0] == texts[1]
    assert "_auth_user_id" not in client.session


@pytest.mark.django_db
def test_a_disabled_user_stays_outside(client: Client, alice: User) -> None:
    client.force_login(alice)
    User.objects.update(is_active=False)
    assert client.get("/").status_code == 302
    assert sign_in(Client(), "alice", "password") == 200


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["a\0b", "x" * 5000, ""])
def test_an_odd_name_is_only_wrong(client: Client, name: str) -> None:
    assert sign_in(client, name, "password") == 200


@pytest.mark.django_db
def test_the_eleventh_wrong_try_waits(client: Client, alice: User, settings: Settings) -> None:
    settings.LOGIN_ATTEMPTS_PER_MINUTE = 10
    assert [sign_in(client, "alice", "wrong") for _ in range(10)] == [200] * 10
    answer = client.post(LOGIN, {"username": "ALICE", "password": "wrong"})
    assert answer.status_code == 429
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert sign_in(client, "alice", "password") == 429
    assert sign_in(client, "alice", "password", address="10.0.0.9") == 302


@pytest.mark.django_db
def test_one_address_cannot_try_every_name(client: Client, settings: Settings) -> None:
    settings.LOGIN_ATTEMPTS_PER_MINUTE = 2
    answers = [sign_in(client, f"user{n}", "wrong") for n in range(11)]
    assert answers == [200] * 10 + [429]


@pytest.mark.django_db
def test_many_addresses_cannot_try_one_name(client: Client, settings: Settings) -> None:
    settings.LOGIN_ATTEMPTS_PER_MINUTE = 2
    answers = [sign_in(client, "alice", "no", address=f"10.0.0.{n}") for n in range(11)]
    assert answers == [200] * 10 + [429]


@pytest.mark.django_db
def test_right_passwords_are_not_counted(client: Client, alice: User, settings: Settings) -> None:
    settings.LOGIN_ATTEMPTS_PER_MINUTE = 3
    assert [sign_in(Client(), "alice", "password") for _ in range(20)] == [302] * 20


@pytest.mark.django_db
def test_signing_out_needs_a_post_and_its_token(alice: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert client.get("/accounts/logout/").status_code == 405
    assert client.post("/accounts/logout/").status_code == 403
    page = client.get("/").context["csrf_token"]
    assert client.post("/accounts/logout/", {"csrfmiddlewaretoken": page}).status_code == 302
    assert client.get("/").status_code == 302


@pytest.mark.django_db
def test_the_chosen_language_is_kept(client: Client, alice: User) -> None:
    client.force_login(alice)
    answer = client.post("/accounts/language/", {"language": "en", "next": "/"})
    assert answer["Location"] == "/"
    alice.refresh_from_db()
    assert alice.locale == "en"
    other = Client()
    sign_in(other, "alice", "password")
    assert other.cookies[django_settings.LANGUAGE_COOKIE_NAME].value == "en"
    assert other.get("/").headers["Content-Language"] == "en"


@pytest.mark.django_db
def test_an_unknown_language_changes_nothing(client: Client, alice: User) -> None:
    client.force_login(alice)
    client.post("/accounts/language/", {"language": "tlh", "next": "/"})
    alice.refresh_from_db()
    assert alice.locale == ""


@pytest.mark.django_db
def test_the_console_has_no_door_of_its_own(client: Client, alice: User) -> None:
    assert client.get("/admin/login/?next=/admin/")["Location"].startswith(LOGIN)
    answer = client.post("/admin/login/", {"username": "alice", "password": "password"})
    assert "_auth_user_id" not in client.session
    assert answer.status_code == 302
    client.force_login(alice)
    assert client.get("/admin/", follow=True).status_code == 403


@pytest.mark.django_db
def test_signed_in_pages_are_not_kept_by_caches(client: Client, alice: User) -> None:
    client.force_login(alice)
    assert "no-store" in client.get("/").headers["Cache-Control"]


@pytest.mark.django_db
def test_cookies_are_closed_to_scripts_and_strangers(client: Client, alice: User) -> None:
    sign_in(client, "alice", "password")
    cookie = client.cookies["sessionid"]
    assert cookie["httponly"] is True
    assert cookie["samesite"] == "Lax"
