"""The form of a draft."""

from typing import Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.agents.admin.scope import VersionedForm
from apps.agents.models import Agent
from apps.tools.registry import catalogue

FIELDS = (
    "organisation", "code", "name", "shared", "prompt", "provider", "model_name", "temperature",
    "top_p", "max_tokens", "max_iters", "permission_mode", "plan_mode", "icon", "welcome",
    "suggestions",
)  # fmt: skip


class AgentForm(VersionedForm):
    """The draft's fields, and its tools as a choice among what is registered."""

    tool_names = forms.MultipleChoiceField(
        label=gettext_lazy("工具"), required=False, widget=forms.CheckboxSelectMultiple
    )

    class Meta:
        model = Agent
        fields = FIELDS
        help_texts = {"suggestions": gettext_lazy("最多 4 条，例如 [“帮我新增一个学生”]。")}  # noqa: RUF012

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "tool_names" not in self.fields:
            return
        bound: list[str] = []
        if self.instance.pk is not None:
            bound = list(self.instance.tools.order_by("name").values_list("name", flat=True))
        tools = cast(forms.MultipleChoiceField, self.fields["tool_names"])
        tools.initial, tools.choices = bound, tool_choices(bound)


def tool_choices(bound: list[str]) -> list[tuple[str, str]]:
    """Every registered tool with what it does; bound ones that are gone are shown as missing."""
    known = [(tool.name, f"{tool.name} · {_(tool.description)}") for tool in catalogue.all()]
    gone = [name for name in bound if catalogue.get(name) is None]
    return known + [(name, _("%(name)s · 未注册") % {"name": name}) for name in gone]
