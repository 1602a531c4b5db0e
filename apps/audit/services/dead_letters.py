"""Jobs that gave up: buried with all they need, replayed or discarded by a person.

One row is open per kind and key, whoever buries. A letter leaves `open` once, by one conditional
update in the transaction of what it leads to; a replay that fails leaves it open.
"""

import logging

from django.db import transaction
from django.db.models import F

from apps.accounts.actor import Actor
from apps.audit.models import DeadLetter
from apps.audit.registry import replay_of
from apps.audit.sanitizer import sanitize
from apps.audit.services import config_log
from apps.audit.services.alerts import raise_alert
from apps.audit.services.letters import letters_of, open_letter, settled_already, without_reason
from apps.lib import clock
from apps.lib.failpoint import hit
from apps.runtime.text import clean_text

logger = logging.getLogger(__name__)
REASON_LIMIT = 2_000
State = DeadLetter.State


def bury(
    *,
    kind: str,
    key: str,
    reason: str,
    payload: str,
    attempts: int,
    organisation_id: int | None = None,
    trace_id: str = "",
) -> DeadLetter:
    """The open letter of this job, and an alert when it is new; both or none."""
    fields = {
        "reason": _told(reason),
        "payload": payload,
        "attempts": attempts,
        "organisation_id": organisation_id,
        "trace_id": trace_id,
        "created_at": clock.now(),
    }
    with transaction.atomic():
        hit("letter.burying")
        letter, is_new = DeadLetter.objects.get_or_create(
            kind=kind, key=key, state=State.OPEN, defaults=fields
        )
        if is_new:
            _alert(letter)
    return letter


def replay(letter_id: int, actor: Actor, reason: str = "") -> bool:
    """Do the job again; False when it failed again. RefusedError 403, 404, 409."""
    return _replay(open_letter(letters_of(actor), letter_id), actor, reason)


def replay_by_command(letter_id: int) -> bool:
    """The same for whoever has a shell on the server. RefusedError 404, 409."""
    return _replay(open_letter(DeadLetter.objects.all(), letter_id), config_log.COMMAND)


def discard(letter_id: int, actor: Actor, reason: str) -> None:
    """Give the job up for good. RefusedError 400 without a reason, 403, 404, 409."""
    letter = open_letter(letters_of(actor), letter_id)
    if not reason.strip():
        raise without_reason()
    with transaction.atomic():
        _leave_open(letter, State.DISCARDED, actor)
        _record(letter, State.DISCARDED, actor, reason)


def reason_of(error: BaseException) -> str:
    """What a person reads of an error; sanitised when it is stored."""
    return f"{type(error).__qualname__}: {error}"


def _replay(letter: DeadLetter, actor: Actor, reason: str = "") -> bool:
    with transaction.atomic():
        _leave_open(letter, State.REPLAYED, actor)
        try:
            with transaction.atomic():
                replay_of(letter.kind)(letter.payload)
        except Exception as error:
            logger.exception("dead letter %s %s failed again", letter.kind, letter.key)
            _reopen(letter, _told(reason_of(error)))
            return False
        _record(letter, State.REPLAYED, actor, reason)
    return True


def _leave_open(letter: DeadLetter, state: DeadLetter.State, actor: Actor) -> None:
    rows = DeadLetter.objects.filter(pk=letter.pk, state=State.OPEN)
    if not rows.update(state=state, settled_at=clock.now(), settled_by=actor.username):
        raise settled_already()


def _reopen(letter: DeadLetter, reason: str) -> None:
    DeadLetter.objects.filter(pk=letter.pk).update(
        state=State.OPEN,
        settled_at=None,
        settled_by="",
        reason=reason,
        attempts=F("attempts") + 1,
    )


def _record(letter: DeadLetter, state: DeadLetter.State, actor: Actor, reason: str = "") -> None:
    config_log.record(
        actor=actor,
        action="replay_dead_letter" if state == State.REPLAYED else "discard_dead_letter",
        object_kind=letter.kind,
        object_key=letter.key,
        reason=reason,
        before={"state": State.OPEN.value, "reason": letter.reason},
        after={"state": state.value},
    )


def _alert(letter: DeadLetter) -> None:
    """One a kind and organisation: a thousand letters are one thing to look at."""
    raise_alert(
        cause="dead_letter",
        severity="critical",
        object_kind=letter.kind,
        object_key=str(letter.organisation_id or ""),
        detail=f"{letter.key}: {letter.reason}",
        organisation_id=letter.organisation_id,
        trace_id=letter.trace_id,
    )


def _told(reason: str) -> str:
    return sanitize(clean_text(reason))[:REASON_LIMIT]
