"""Writes down what people change in the configuration, in one chain of its own."""

from collections.abc import Mapping
from typing import Any

import structlog
from django.db import transaction

from apps.accounts.actor import Actor
from apps.audit import chain
from apps.audit.models import ConfigAuditLog
from apps.audit.sanitizer import redact_secrets
from apps.lib import clock
from apps.lib.canonical import canonical_json
from apps.runtime.text import clean_text

COMMAND = Actor(user_id=0, organisation_id=0, username="manage.py")
"""Whoever has a shell on the server: the command line has no sign-in."""


def record(
    *,
    actor: Actor,
    action: str,
    object_kind: str,
    object_key: str,
    reason: str = "",
    before: Mapping[str, Any] | None = None,
    after: Mapping[str, Any] | None = None,
) -> ConfigAuditLog:
    """Write one change in the caller's transaction, as its last statement.

    The head of the chain stays locked until the commit, so whatever is written after it makes
    everybody wait who changes anything, and may wait for one of them. What looks like a key or
    password is redacted; a value that is secret by its name comes as a `Secret`.
    RuntimeError outside a transaction: the change could stand without its row.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError("a change is recorded in the transaction that makes it")
    row = ConfigAuditLog(
        at=clock.now(),
        actor_id=actor.user_id,
        username=actor.username,
        organisation_id=actor.organisation_id,
        action=action,
        object_kind=object_kind,
        object_key=_text(object_key)[:128],
        reason=_text(reason),
        before=_values(before),
        after=_values(after),
        trace_id=str(structlog.contextvars.get_contextvars().get("trace_id", "")),
    )
    chain.append([row])
    return row


def _values(values: Mapping[str, Any] | None) -> str:
    return "" if values is None else canonical_json(_plain(values))


def _plain(value: Any) -> Any:
    """JSON of it; what JSON has no form for stands as its text, a secret as `***`."""
    if value is None or isinstance(value, bool | int | float):
        return value
    if isinstance(value, Mapping):
        return {_text(str(key)): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return _text(str(value))


def _text(text: str) -> str:
    return redact_secrets(clean_text(text))
