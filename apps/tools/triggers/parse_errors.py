"""How often arguments do not parse or fit, from the rows: a process's counters forget."""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from datetime import timedelta
from itertools import islice
from typing import NamedTuple

from django.db.models import Count, QuerySet
from jsonschema import Draft202012Validator

from apps.audit.models import AuditEntry
from apps.lib import clock
from apps.tools.models import ToolRun
from apps.tools.registry import ToolDescriptor
from apps.tools.triggers.trigger import Trigger

RATE = 0.05
SAMPLE = 20
"""Fewer calls say nothing."""
DAYS = 30
AT_ONCE = 500
_READ = ("succeeded", "failed", "timed_out", "unknown", "held")
"""How calls end, or wait, whose arguments were read."""


class _Failed(NamedTuple):
    """A call that failed, for whatever reason."""

    name: str
    arguments: str
    audit_id: str


def measure(tools: Iterable[ToolDescriptor]) -> Trigger:
    """Of all calls together, and of each tool's by themselves; either may be over the bound."""
    since = clock.now() - timedelta(days=DAYS)
    runs = ToolRun.objects.filter(created_at__gte=since, status__in=_READ)
    calls = Counter(dict(runs.order_by().values_list("name").annotate(Count("pk"))))
    errors = Counter(_misfits(runs, {tool.name: tool for tool in tools}))
    over = [name for name in sorted(errors) if _is_over(errors[name], calls[name])]
    total, wrong = calls.total(), errors.total()
    measured = (
        f"{wrong / max(total, 1):.1%} of {total} calls in {DAYS} days had arguments that do not "
        f"parse or fit, over {RATE:.0%} counts, from {SAMPLE} calls on"
    )
    return Trigger(
        name="parse_errors",
        met=bool(over) or _is_over(wrong, total),
        measured=measured,
        evidence=tuple(f"{name} ({errors[name]} of {calls[name]})" for name in over),
    )


def _is_over(errors: int, calls: int) -> bool:
    return calls >= SAMPLE and errors > calls * RATE


def _misfits(runs: QuerySet[ToolRun], tools: Mapping[str, ToolDescriptor]) -> Iterator[str]:
    """The tool's name, once for each call that failed by its arguments.

    A failed call does not say why; its arguments, held against the schema again, do. What did not
    even parse stands in audit.before.
    """
    validators = {name: Draft202012Validator(tool.schema) for name, tool in tools.items()}
    failed = runs.filter(status=ToolRun.Status.FAILED).order_by("pk")
    for batch in _batches(map(_Failed._make, failed.values_list(*_Failed._fields).iterator())):
        unread = _unreadable([run.audit_id for run in batch])
        for run in batch:
            validator = validators.get(run.name)
            fits = validator is None or validator.is_valid(json.loads(run.arguments))
            if run.audit_id in unread or not fits:
                yield run.name


def _batches(failed: Iterator[_Failed]) -> Iterator[list[_Failed]]:
    while batch := list(islice(failed, AT_ONCE)):
        yield batch


def _unreadable(audit_ids: list[str]) -> set[str]:
    before = AuditEntry.objects.filter(audit_id__in=audit_ids, phase=AuditEntry.Phase.BEFORE)
    bodies = before.values_list("audit_id", "body")
    return {audit_id for audit_id, body in bodies if json.loads(body).get("argumentsError")}
