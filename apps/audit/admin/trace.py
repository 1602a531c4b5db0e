"""The page of one trace: every governed call with its outcome, on one scale of time."""

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from apps.audit.admin.badges import badge
from apps.audit.admin.reading import RIGHT, actor_of, operator_of
from apps.audit.outcomes import outcome_word
from apps.audit.sanitizer import sanitize
from apps.audit.search import visible_entries, visible_events
from apps.audit.timeline import Step, timeline_of

LIMIT = 1_000


@require_safe
def trace_page(request: HttpRequest, trace_id: str) -> HttpResponse:
    """404 for a trace of which the reader may see nothing."""
    if not operator_of(request).has_perm(RIGHT):
        raise PermissionDenied
    actor = actor_of(request)
    entries = visible_entries(actor).filter(trace_id=trace_id).order_by("at", "pk")
    events = visible_events(actor).filter(trace_id=trace_id).order_by("at", "pk")
    timeline = timeline_of(entries[:LIMIT], list(events[:LIMIT]))
    if timeline is None:
        raise Http404
    context = admin.site.each_context(request) | {
        "title": _("调用时间线"),
        "trace_id": trace_id,
        "timeline": timeline,
        "rows": [(step, told_outcome(step), _details(step)) for step in timeline.steps],
        "loose": [(event, sanitize(event.detail)) for event in timeline.loose],
        "cut": entries.count() > LIMIT,
    }
    return TemplateResponse(request, "admin/audit/trace.html", context)


def told_outcome(step: Step) -> str:
    """Open pairs are shown as open."""
    if step.after is None:
        return badge("open", _("未写结局"))
    return badge(step.after.outcome, outcome_word(step.after.outcome))


def _details(step: Step) -> list[tuple[str, str]]:
    """What a security event really said, without what must not be shown."""
    return [(event.get_kind_display(), sanitize(event.detail)) for event in step.events]
