"""Legal holds: who may, for what, and that each is written down."""

from collections.abc import Callable

import pytest

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit.models import ConfigAuditLog, LegalHold
from apps.audit.services import holds
from apps.lib.problem import Problem, RefusedError
from tests import factories

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def counsel(organisation: Organisation) -> Actor:
    rights = ("audit.add_legalhold", "audit.change_legalhold")
    return Actor.of(factories.make_user("counsel", organisation, *rights))


def refusal(act: Callable[[], object]) -> Problem:
    with pytest.raises(RefusedError) as refused:
        act()
    return refused.value.problem


def place(actor: Actor, user: User, reason: str = "case 7") -> LegalHold:
    return holds.place(actor=actor, kind="user", key=str(user.pk), reason=reason)


@pytest.mark.req("TOOL-28")
def test_a_hold_is_placed_and_lifted_on_the_record(counsel: Actor, alice: User) -> None:
    placed = place(counsel, alice)
    assert holds.in_force().get().pk == placed.pk
    holds.lift(actor=counsel, hold_id=placed.pk, reason="closed")
    assert not holds.in_force().exists()
    placed.refresh_from_db()
    assert (placed.placed_by, placed.lifted_by) == ("counsel", "counsel")
    told = ConfigAuditLog.objects.order_by("position").values_list(
        "action", "object_kind", "object_key", "reason"
    )
    key = str(alice.pk)
    assert list(told) == [
        ("place_hold", "user", key, "case 7"),
        ("lift_hold", "user", key, "closed"),
    ]


def test_what_is_held_cannot_be_held_twice(counsel: Actor, alice: User) -> None:
    placed = place(counsel, alice)
    assert refusal(lambda: place(counsel, alice)).status == 409
    holds.lift(actor=counsel, hold_id=placed.pk, reason="x")
    assert (
        refusal(lambda: holds.lift(actor=counsel, hold_id=placed.pk, reason="x")).code
        == "state_conflict"
    )
    place(counsel, alice)


def test_without_the_right_there_is_no_hold(counsel: Actor, alice: User) -> None:
    placed = place(counsel, alice)
    nobody = Actor.of(alice)
    assert refusal(lambda: place(nobody, alice)).status == 403
    assert refusal(lambda: holds.lift(actor=nobody, hold_id=placed.pk, reason="x")).status == 403


def test_a_hold_needs_a_reason(counsel: Actor, alice: User) -> None:
    assert refusal(lambda: place(counsel, alice, " ")).errors
    assert not LegalHold.objects.exists()


@pytest.mark.parametrize("key", ["", "x", "-1", "٣", "9" * 30, "999999"])
@pytest.mark.parametrize("kind", ["user", "organisation", "conversation", "nothing"])
def test_what_is_missing_cannot_be_held(counsel: Actor, kind: str, key: str) -> None:
    problem = refusal(lambda: holds.place(actor=counsel, kind=kind, key=key, reason="x"))
    assert problem.status == 404


def test_another_organisation_is_out_of_reach(counsel: Actor, carol: User) -> None:
    assert refusal(lambda: place(counsel, carol)).status == 404
    key = str(carol.organisation_id)
    problem = refusal(lambda: holds.place(actor=counsel, kind="organisation", key=key, reason="x"))
    assert problem.status == 404
    root = factories.make_user("root", carol.organisation, is_superuser=True)
    placed = place(Actor.of(root), carol)
    assert refusal(lambda: holds.lift(actor=counsel, hold_id=placed.pk, reason="x")).status == 404
