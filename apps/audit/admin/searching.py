"""The form above the list of audit entries, and what it asks for."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.audit.outcomes import OUTCOMES
from apps.audit.search import Criteria

FORMATS = [("csv", "CSV"), ("jsonl", "JSON Lines")]


def _day(label: Any) -> forms.DateField:
    return forms.DateField(
        label=label, required=False, widget=forms.DateInput(attrs={"type": "date"})
    )


def _text(label: Any) -> forms.CharField:
    return forms.CharField(label=label, required=False, max_length=150)


class SearchForm(forms.Form):
    """Exact values, whole days in UTC; an empty field asks nothing."""

    username = _text(gettext_lazy("用户名"))
    agent = _text(gettext_lazy("智能体代码"))
    tool = _text(gettext_lazy("工具"))
    trace_id = _text(gettext_lazy("追踪编号"))
    outcome = forms.ChoiceField(
        label=gettext_lazy("结局"),
        required=False,
        choices=lambda: [("", _("全部"))] + [(key, word) for key, word in OUTCOMES.items()],
    )
    since = _day(gettext_lazy("从（含）"))
    until = _day(gettext_lazy("到（含）"))

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        since, until = values.get("since"), values.get("until")
        if since and until and since > until:
            self.add_error("until", _("结束日期早于开始日期；请改为同一天或更晚。"))
        return values

    def criteria(self) -> Criteria:
        """Of a form that is valid."""
        given = self.cleaned_data
        until = given["until"]
        return Criteria(
            username=given["username"],
            agent=given["agent"],
            tool=given["tool"],
            trace_id=given["trace_id"],
            outcome=given["outcome"],
            since=_midnight(given["since"]) if given["since"] else None,
            until=_midnight(until + timedelta(days=1)) if until else None,
        )


class ExportForm(SearchForm):
    """The same, and as what."""

    kind = forms.ChoiceField(label=gettext_lazy("格式"), choices=FORMATS, initial="csv")


def _midnight(day: Any) -> datetime:
    return datetime.combine(day, time(), UTC)
