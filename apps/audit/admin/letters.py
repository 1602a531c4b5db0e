"""Dead letters: read, done again, or given up for good."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from django.contrib import admin, messages
from django.db.models import Case, QuerySet, Value, When
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.actor import Actor
from apps.audit.admin.acting import Act, ActingAdmin, Offer, Told, act_page
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import column, trace
from apps.audit.models import DeadLetter
from apps.audit.sanitizer import sanitize, sanitize_value
from apps.audit.services import dead_letters

State = DeadLetter.State
Making = Callable[[Sequence[DeadLetter]], Act]
AT_ONCE = 100
SHOWN = (
    ("kind", gettext_lazy("类型")),
    ("key", gettext_lazy("对象")),
    ("attempts", gettext_lazy("尝试次数")),
    ("created_at", gettext_lazy("时间")),
)
SETTLED = (
    ("settled_at", gettext_lazy("处理时间")),
    ("settled_by", gettext_lazy("处理人")),
)


def replaying(letters: Sequence[DeadLetter]) -> Act:
    """Do these jobs again."""
    return Act(
        title=_("重放死信"),
        sentence=_("将用保存的内容重新执行这些任务；再次失败的保持待处理，并记下新的原因。"),
        button=_("重放 %(count)d 封") % {"count": len(letters)},
        facts=[(letter.kind, letter.key) for letter in letters],
        do=lambda actor, reason: _replayed(letters, actor, reason),
    )


def discarding(letters: Sequence[DeadLetter]) -> Act:
    """Give these jobs up."""
    return Act(
        title=_("放弃死信"),
        sentence=_("这些任务将不再执行，也不能再重放；死信和理由会保留。"),
        button=_("放弃 %(count)d 封") % {"count": len(letters)},
        facts=[(letter.kind, letter.key) for letter in letters],
        do=lambda actor, reason: _discarded(letters, actor, reason),
        harmful=True,
    )


def _replayed(letters: Sequence[DeadLetter], actor: Actor, reason: str) -> Told:
    done = [dead_letters.replay(letter.pk, actor, reason) for letter in _still_open(letters)]
    failed = len(letters) - sum(done)
    text = _("已重放 %(done)d 封，未成功 %(failed)d 封。")
    level = messages.WARNING if failed else messages.SUCCESS
    return level, text % {"done": sum(done), "failed": failed}


def _discarded(letters: Sequence[DeadLetter], actor: Actor, reason: str) -> Told:
    found = _still_open(letters)
    for letter in found:
        dead_letters.discard(letter.pk, actor, reason)
    return messages.SUCCESS, _("已放弃 %(count)d 封死信。") % {"count": len(found)}


def _still_open(letters: Sequence[DeadLetter]) -> Sequence[DeadLetter]:
    """One alone is refused with its reason; of many, those that somebody else took are left."""
    if len(letters) == 1:
        return letters
    open_now = DeadLetter.objects.filter(state=State.OPEN, pk__in=[row.pk for row in letters])
    return list(open_now)


class DeadLetterAdmin(ActingAdmin):
    """What gave up in the operator's organisation; replaying and discarding need a reason."""

    list_display = ("told_state", *(column(*each) for each in SHOWN), "told_reason")
    list_display_links = ("told_state",)
    list_filter = ("state", "kind")
    search_fields = ("=key", "=trace_id", "reason")
    ordering = (Case(When(state="open", then=Value(0)), default=Value(1)), "-created_at", "-id")
    actions = ("replay_selected", "discard_selected")  # type: ignore[assignment]  # of the base: none
    readonly_fields = (
        "told_state", *(column(*each) for each in SHOWN), "told_reason", "payload_shown",
        *(column(*each) for each in SETTLED), trace,
    )  # fmt: skip
    fields = readonly_fields
    offers: ClassVar = {
        "replay": Offer(
            label=gettext_lazy("重放…"), states=(State.OPEN,), act=lambda row: replaying([row])
        ),
        "discard": Offer(
            label=gettext_lazy("放弃…"), states=(State.OPEN,), act=lambda row: discarding([row])
        ),
    }

    @admin.display(description=gettext_lazy("状态"), ordering="state")
    def told_state(self, letter: DeadLetter) -> str:
        return badge(letter.state, letter.get_state_display())

    @admin.display(description=gettext_lazy("原因"))
    def told_reason(self, letter: DeadLetter) -> str:
        return sanitize(letter.reason)

    @admin.display(description=gettext_lazy("内容（已脱敏）"))
    def payload_shown(self, letter: DeadLetter) -> str:
        return format_html('<pre class="payload">{}</pre>', sanitize_value(letter.payload))

    @admin.action(description=gettext_lazy("重放所选死信…"), permissions=["view"])
    def replay_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        return self._page(request, queryset, replaying)

    @admin.action(description=gettext_lazy("放弃所选死信…"), permissions=["view"])
    def discard_selected(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse:
        return self._page(request, queryset, discarding)

    def _page(self, request: HttpRequest, rows: QuerySet[Any], make: Making) -> HttpResponse:
        letters = list(rows.filter(state=State.OPEN)[:AT_ONCE])
        if letters:
            again = [("_selected_action", str(letter.pk)) for letter in letters]
            again.append(("action", request.POST["action"]))
            return act_page(request, self, replace(make(letters), hidden=again))
        messages.warning(request, _("所选死信都已经处理过。"))
        return HttpResponseRedirect(request.get_full_path())
