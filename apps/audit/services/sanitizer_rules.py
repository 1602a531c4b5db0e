"""The operators' rules of what must not leave: saved after their tests, and known everywhere soon.

A rule is saved only if it can be read in linear time, redacts its sample, and leaves both the text
beside it and the shipped plain texts alone. `refresh` brings what was saved into a process.
"""

import threading
import time
from collections.abc import Mapping
from typing import Any

from django.db import transaction

from apps.accounts.actor import Actor
from apps.audit.models import SanitizerRule
from apps.audit.sanitizer import set_extra_rules
from apps.audit.services import config_log
from apps.audit.services import sanitizer_rule_refusals as refusals
from apps.audit.services.sanitizer_rule_tests import faults
from apps.audit.services.usable_rules import usable
from apps.lib import clock

KIND = "sanitizer_rule"
SECONDS = 1.0


class _Read:
    """When this process reads the rules again; one thread of it at a time."""

    lock = threading.Lock()
    due = 0.0


def refresh(*, at_once: bool = False) -> None:
    """Re-read the rules, at most once a second; in a thread that may speak to the database.

    Whoever calls this before sanitising knows a change within a second of its commit, `at_once`
    who has just made one and tries it.
    """
    is_due = at_once or time.monotonic() >= _Read.due
    if not is_due or not _Read.lock.acquire(blocking=at_once):
        return
    try:
        set_extra_rules(usable())
        _Read.due = time.monotonic() + SECONDS
    finally:
        _Read.lock.release()


def save(*, actor: Actor, values: Mapping[str, Any], rule_id: int | None = None) -> SanitizerRule:
    """Save a new rule, or another state of one: name, pattern, hit, keep, is_on.

    RefusedError 403, 404, or 400 with what to mend for each field.
    """
    refusals.require(actor, "add" if rule_id is None else "change")
    row = SanitizerRule() if rule_id is None else _row(rule_id)
    before = None if rule_id is None else _told(row)
    for field in ("name", "pattern", "hit", "keep", "is_on"):
        if field in values:
            setattr(row, field, values[field])
    if errors := faults(row):
        raise refusals.invalid(errors)
    row.changed_at, row.changed_by = clock.now(), actor.username
    with transaction.atomic():
        row.save()
        _record(actor, "save_rule", row.name, before=before, after=_told(row))
    return row


def switch(*, actor: Actor, rule_id: int, is_on: bool, reason: str = "") -> SanitizerRule:
    """Turn a rule on or off. A rule whose tests no longer pass is not turned on: 400."""
    refusals.require(actor, "change")
    row = _row(rule_id)
    if is_on and (errors := faults(row)):
        raise refusals.invalid(errors)
    with transaction.atomic():
        changes = {"is_on": is_on, "changed_at": clock.now(), "changed_by": actor.username}
        if not SanitizerRule.objects.filter(pk=rule_id, is_on=not is_on).update(**changes):
            raise refusals.stale()
        _record(actor, "switch_rule", row.name, reason, {"is_on": not is_on}, {"is_on": is_on})
    return _row(rule_id)


def delete(*, actor: Actor, rule_id: int, reason: str = "") -> None:
    """RefusedError 403, 404."""
    refusals.require(actor, "delete")
    row = _row(rule_id)
    with transaction.atomic():
        SanitizerRule.objects.filter(pk=rule_id).delete()
        _record(actor, "delete_rule", row.name, reason, before=_told(row))


def _row(rule_id: int) -> SanitizerRule:
    row = SanitizerRule.objects.filter(pk=rule_id).first()
    if row is None:
        raise refusals.not_found()
    return row


def _told(row: SanitizerRule) -> dict[str, Any]:
    """Without the samples, which show what must not be shown."""
    return {"name": row.name, "pattern": row.pattern, "is_on": row.is_on}


def _record(
    actor: Actor,
    action: str,
    name: str,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> None:
    config_log.record(
        actor=actor,
        action=action,
        object_kind=KIND,
        object_key=name,
        reason=reason,
        before=before,
        after=after,
    )
    transaction.on_commit(_read_again)


def _read_again() -> None:
    """This process knows its own change at once."""
    _Read.due = 0.0
    refresh()
