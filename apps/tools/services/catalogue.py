"""The tools that are registered, as operators see them: who may use each, and how it does."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from statistics import median
from typing import Any

from django.contrib.auth.models import Group
from django.db.models import Count, Q, QuerySet

from apps.accounts.models import User
from apps.audit.models import AuditEntry
from apps.lib import clock
from apps.tools.models import Switch, ToolRun
from apps.tools.registry import catalogue
from apps.tools.registry.descriptor import ToolDescriptor
from apps.tools.services.switches import off_among

RIGHTS = ("audit.view_audit", "tools.view_toolrun", "tools.view_switch", "tools.change_switch")
ERRORS = ("failed", "timed_out", "unknown", "system_error")
NOT_RUN = ("refused", "not_executed", "cancelled")
SAMPLE = 5_000
"""Of so many of the newest calls the middle duration is taken."""
_BACKEND = "django.contrib.auth.backends.ModelBackend"


@dataclass(frozen=True, slots=True, kw_only=True)
class Use:
    """The calls of one tool in the reader's organisation; rates are of calls that were made."""

    week: int = 0
    month: int = 0
    made: int = 0
    errors: int = 0
    p50_ms: int | None = None

    @property
    def error_rate(self) -> float | None:
        return 100 * self.errors / self.made if self.made else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Who of the reader's organisation holds the right, and how many roles give it."""

    people: int
    roles: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One tool of the catalogue."""

    tool: ToolDescriptor
    rights: Sequence[str]
    access: Access
    use: Use
    off: Switch | None


def may_look(user: User) -> bool:
    """Whether the catalogue is this person's business."""
    return any(user.has_perm(right) for right in RIGHTS)


def listed(user: User) -> list[Listed]:
    """Every registered tool, by app and name."""
    tools = sorted(catalogue.all(), key=lambda tool: (tool.app, tool.name))
    uses = _uses(user)
    switched = off_among([(Switch.Kind.TOOL.value, tool.name) for tool in tools])

    @cache
    def access(rights: tuple[str, ...]) -> Access:
        return _access(rights, user)

    return [
        Listed(
            tool=tool,
            rights=rights_of(tool),
            access=access(rights_of(tool)),
            use=uses.get(tool.name, Use()),
            off=switched.get((Switch.Kind.TOOL.value, tool.name)),
        )
        for tool in tools
    ]


def rights_of(tool: ToolDescriptor) -> tuple[str, ...]:
    """All that a caller must hold."""
    own = (tool.permission,) if tool.permission else ()
    return tuple(dict.fromkeys((*own, *tool.availability.permissions)))


def _access(rights: Sequence[str], user: User) -> Access:
    people = _own(User.objects.filter(is_active=True), user)
    roles = Group.objects.all()
    for right in rights:
        holders = User.objects.with_perm(right, backend=_BACKEND)
        app, _dot, codename = right.partition(".")
        people = people.filter(pk__in=holders.values("pk"))
        roles = roles.filter(
            permissions__content_type__app_label=app, permissions__codename=codename
        )
    return Access(people=people.count(), roles=roles.distinct().count() if rights else 0)


def _uses(user: User) -> Mapping[str, Use]:
    month, week = clock.now() - timedelta(days=30), clock.now() - timedelta(days=7)
    rows = _own(AuditEntry.objects.filter(phase="after", at__gte=month), user)
    counted = rows.values("tool").annotate(
        month=Count("pk"),
        week=Count("pk", filter=Q(at__gte=week)),
        made=Count("pk", filter=~Q(outcome__in=NOT_RUN)),
        errors=Count("pk", filter=Q(outcome__in=ERRORS)),
    )
    middles = _middles(_own(ToolRun.objects.filter(created_at__gte=month), user))
    return {
        row["tool"]: Use(
            week=row["week"],
            month=row["month"],
            made=row["made"],
            errors=row["errors"],
            p50_ms=middles.get(row["tool"]),
        )
        for row in counted
    }


def _middles(runs: QuerySet[ToolRun]) -> Mapping[str, int]:
    found: dict[str, list[int]] = defaultdict(list)
    ended = runs.filter(started_at__isnull=False, finished_at__isnull=False).order_by("-pk")
    for name, duration in ended.values_list("name", "duration_ms")[:SAMPLE]:
        found[name].append(duration)
    return {name: round(median(durations)) for name, durations in found.items()}


def _own(rows: Any, user: User) -> Any:
    return rows if user.is_superuser else rows.filter(organisation_id=user.organisation_id)
