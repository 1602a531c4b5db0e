"""Legal holds: placed and lifted with a reason; what is held is neither deleted nor purged.

Whoever places a hold, deletes or purges has the head of the config log locked when it commits. So a
hold that was committed first is seen, and one that comes later finds the thing gone.
"""

from collections.abc import Collection

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from apps.accounts.actor import Actor
from apps.accounts.models import Organisation, User
from apps.audit import chain, holding
from apps.audit.models import ConfigAuditLog, LegalHold
from apps.audit.services import config_log
from apps.audit.services import hold_refusals as refusals
from apps.lib import clock
from apps.runtime.text import clean_text

Kind = LegalHold.Kind
PLACE, LIFT = "audit.add_legalhold", "audit.change_legalhold"


def place(*, actor: Actor, kind: str, key: str, reason: str) -> LegalHold:
    """Hold a user (key: the number), a conversation (the id) or an organisation (the number).

    RefusedError 403, 400 without a reason, 404 for what is missing or another organisation's, 409
    for what is held already.
    """
    user, text = _holder(actor, PLACE), _reason(reason)
    try:
        with transaction.atomic():
            lock()  # whoever deletes has done so, or will see the hold
            organisation_id = _organisation_of(kind, key)
            if organisation_id is None or not _reaches(user, organisation_id):
                raise refusals.not_found()
            row = LegalHold(kind=kind, key=key, reason=text, organisation_id=organisation_id)
            row.placed_by, row.placed_at = actor.username, clock.now()
            row.save(force_insert=True)
            _record(actor, "place_hold", row, text)
    except IntegrityError as error:
        raise refusals.changed() from error
    return row


def lift(*, actor: Actor, hold_id: int, reason: str) -> None:
    """End a hold for good. RefusedError 403, 400 without a reason, 404, 409 when it has ended."""
    user = _holder(actor, LIFT)
    row = LegalHold.objects.filter(pk=hold_id).first()
    if row is None or not _reaches(user, row.organisation_id):
        raise refusals.not_found()
    _reason(reason)
    with transaction.atomic():
        rows = in_force().filter(pk=hold_id)
        if not rows.update(lifted_by=actor.username, lifted_at=clock.now()):
            raise refusals.changed()
        _record(actor, "lift_hold", row, reason)


def in_force() -> QuerySet[LegalHold]:
    return LegalHold.objects.filter(lifted_at=None)


def lock() -> None:
    """No hold is placed or lifted until the caller's transaction ends."""
    chain.locked_head(ConfigAuditLog.shared_chain, chain.table_of(ConfigAuditLog))


def refuse_if_held(
    *, organisation_id: int, user_id: int, conversation_ids: Collection[str]
) -> None:
    """In the transaction of a deletion, its last statement but the config log's row.

    RefusedError 409 `legal_hold`: nobody is told by whom, or why.
    """
    lock()
    gone = {
        (Kind.ORGANISATION.value, str(organisation_id)),
        (Kind.USER.value, str(user_id)),
        *((Kind.CONVERSATION.value, key) for key in conversation_ids),
    }
    if not gone.isdisjoint(in_force().values_list("kind", "key")):
        raise refusals.held()


def _organisation_of(kind: str, key: str) -> int | None:
    if kind == Kind.CONVERSATION:
        return holding.conversations().organisation_of(key)
    if not (key.isascii() and key.isdecimal() and len(key) < 19):
        return None
    if kind == Kind.USER:
        users = User.objects.filter(pk=int(key))
        return users.values_list("organisation_id", flat=True).first()
    organisations = Organisation.objects.filter(pk=int(key))
    return organisations.values_list("pk", flat=True).first() if kind == Kind.ORGANISATION else None


def _holder(actor: Actor, right: str) -> User:
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(right):
        raise refusals.forbidden()
    return user


def _reaches(user: User, organisation_id: int) -> bool:
    return user.is_superuser or user.organisation_id == organisation_id


def _reason(reason: str) -> str:
    if not reason.strip():
        raise refusals.without_reason()
    return clean_text(reason.strip())


def _record(actor: Actor, action: str, row: LegalHold, reason: str) -> None:
    config_log.record(
        actor=actor,
        action=action,
        object_kind=row.kind,
        object_key=row.key,
        reason=reason,
        after={"hold": row.pk, "inForce": action == "place_hold"},
    )
