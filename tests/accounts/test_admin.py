"""The console's pages of people: an operator stays in the own organisation, and gives no powers."""

import pytest
from django.test import Client

from apps.accounts.models import ApiToken, Organisation, User
from apps.accounts.services.tokens import issue_token
from tests import factories

RIGHTS = [
    f"accounts.{verb}_{model}"
    for model in ("user", "organisation", "apitoken")
    for verb in ("view", "change", "add", "delete")
]


@pytest.fixture
def clerk(client: Client, organisation: Organisation) -> User:
    """Staff with every right on accounts, and signed in."""
    user = factories.make_user("clerk", organisation, *RIGHTS, is_staff=True)
    client.force_login(user)
    return user


@pytest.mark.req("MCP-6")
@pytest.mark.django_db
def test_other_organisations_are_not_there(
    client: Client, clerk: User, alice: User, carol: User
) -> None:
    listed = client.get("/admin/accounts/user/").content.decode()
    assert "alice" in listed
    assert "carol" not in listed
    issue_token(user=carol)
    for path in (
        f"user/{carol.pk}",
        f"organisation/{carol.organisation_id}",
        f"apitoken/{ApiToken.objects.get().pk}",
    ):
        assert client.get(f"/admin/accounts/{path}/change/").status_code == 302
    assert client.get(f"/admin/accounts/user/{alice.pk}/change/").status_code == 200


@pytest.mark.django_db
def test_a_clerk_gives_nobody_powers(client: Client, clerk: User, alice: User) -> None:
    fields = {"username": "alice", "is_active": "on", "department": "Lehre"}
    powers = {"is_superuser": "on", "is_staff": "on", "organisation": "1", "user_permissions": "1"}
    dates = {"date_joined_0": "2026-01-01", "date_joined_1": "00:00:00"}
    before = set(alice.user_permissions.values_list("pk", flat=True))
    answer = client.post(f"/admin/accounts/user/{alice.pk}/change/", {**fields, **powers, **dates})
    assert answer.status_code == 302
    alice.refresh_from_db()
    assert alice.department == "Lehre"
    assert (alice.is_superuser, alice.is_staff) == (False, False)
    assert set(alice.user_permissions.values_list("pk", flat=True)) == before


@pytest.mark.django_db
def test_a_superuser_is_out_of_a_clerks_reach(
    client: Client, clerk: User, organisation: Organisation
) -> None:
    root = factories.make_user("root", organisation, is_superuser=True, is_staff=True)
    for page in ("change", "delete"):
        assert client.get(f"/admin/accounts/user/{root.pk}/{page}/").status_code == 302
    assert client.get(f"/admin/accounts/user/{root.pk}/password/").status_code in (302, 404)


@pytest.mark.django_db
def test_a_new_person_joins_the_clerks_organisation(client: Client, clerk: User) -> None:
    secret = "a long enough one"
    fields = {
        "username": "dora",
        "password1": secret,
        "password2": secret,
        "usable_password": "true",
    }
    answer = client.post("/admin/accounts/user/add/", fields)
    assert answer.status_code == 302
    assert User.objects.get(username="dora").organisation == clerk.organisation


@pytest.mark.django_db
def test_a_key_is_ended_and_never_shown(client: Client, clerk: User, alice: User) -> None:
    issue_token(user=alice)
    token = ApiToken.objects.get()
    page = client.get(f"/admin/accounts/apitoken/{token.pk}/change/").content.decode()
    assert token.digest not in page
    chosen = {"action": "revoke", "_selected_action": [token.pk]}
    client.post("/admin/accounts/apitoken/", chosen)
    token.refresh_from_db()
    assert token.revoked_at is not None
