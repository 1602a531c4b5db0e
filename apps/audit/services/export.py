"""Hands audit rows out, a page at a time, and writes down that somebody took them."""

from collections.abc import Iterator

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.export_formats import FORMATS, Line, line_of
from apps.audit.models import AuditEntry
from apps.audit.search import RIGHT, Criteria, found, visible_entries
from apps.audit.services import config_log
from apps.lib.problem import Problem, RefusedError

PAGE = 2_000


def export_audit(*, actor: Actor, criteria: Criteria, kind: str) -> Iterator[str]:
    """The text in pieces: rows that the actor may read, oldest first; `kind` is of `FORMATS`.

    RefusedError 403 without the audit right.
    """
    user = User.objects.filter(pk=actor.user_id, is_active=True).first()
    if user is None or not user.has_perm(RIGHT):
        raise _forbidden()
    _record(actor, criteria, kind)
    return FORMATS[kind](_lines(found(visible_entries(actor), criteria)))


def export_by_command(*, criteria: Criteria, kind: str) -> Iterator[str]:
    """The same of all organisations, for whoever has a shell on the server."""
    _record(config_log.COMMAND, criteria, kind)
    return FORMATS[kind](_lines(found(AuditEntry.objects.all(), criteria)))


def _lines(rows: QuerySet[AuditEntry]) -> Iterator[Line]:
    """By time; each page begins behind the last row of the one before."""
    rows, last = rows.order_by("at", "pk"), None
    while page := list((rows.filter(_behind(last)) if last else rows)[:PAGE]):
        for entry in page:
            yield line_of(entry)
        last = page[-1]


def _behind(last: AuditEntry) -> Q:
    return Q(at__gte=last.at) & (Q(at__gt=last.at) | Q(pk__gt=last.pk))


def _record(actor: Actor, criteria: Criteria, kind: str) -> None:
    asked = {name: getattr(criteria, name) for name in criteria.__slots__}
    with transaction.atomic():
        config_log.record(
            actor=actor,
            action="export",
            object_kind="audit",
            object_key=kind,
            after={name: value for name, value in asked.items() if value},
        )


def _forbidden() -> RefusedError:
    text = _("您没有查看审计的权限。")
    return RefusedError(
        Problem(status=403, code="permission_denied", title=_("没有权限"), detail=text)
    )
