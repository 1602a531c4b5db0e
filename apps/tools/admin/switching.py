"""Switching off and on: what each page says, and what it does."""

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.actor import Actor
from apps.accounts.models import User
from apps.audit.admin.acting import Act, ReasonForm, Told
from apps.audit.admin.reading import actor_of
from apps.lib.problem import RefusedError
from apps.tools.models import Switch
from apps.tools.services import switches


def switching_on(switch: Switch) -> Act:
    """What was off is used again."""

    def do(actor: Actor, reason: str) -> Told:
        switches.switch_on(actor=actor, kind=switch.kind, key=switch.key, reason=reason)
        return messages.SUCCESS, _("已重新启用“%(key)s”。") % {"key": switch.key}

    return Act(
        title=_("重新启用"),
        sentence=_("两秒内在所有节点生效。"),
        button=_("启用 %(key)s") % {"key": switch.key},
        facts=[*_facts(switch), (_("停用理由"), switch.reason)],
        do=do,
    )


def switching_off(switch: Switch) -> Act:
    """What was on is used no more."""

    def do(actor: Actor, reason: str) -> Told:
        switches.switch_off(actor=actor, kind=switch.kind, key=switch.key, reason=reason)
        return messages.SUCCESS, _("已停用“%(key)s”。") % {"key": switch.key}

    return Act(
        title=_("停用"),
        sentence=_("两秒内在所有节点生效，包括已发布的版本和正在等待的运行。"),
        button=_("停用 %(key)s") % {"key": switch.key},
        facts=_facts(switch),
        do=do,
        harmful=True,
    )


def _facts(switch: Switch) -> list[tuple[str, str]]:
    return [(_("类型"), switch.get_kind_display()), (_("对象"), switch.key)]


class OffForm(ReasonForm):
    """What to switch off, and why."""

    kind = forms.ChoiceField(label=gettext_lazy("类型"), choices=Switch.Kind.choices)
    key = forms.CharField(
        label=gettext_lazy("对象"),
        max_length=128,
        help_text=gettext_lazy(
            "工具、技能和 MCP 服务写名称，智能体写代码，模型服务写编号，用户写用户名。"
        ),
    )
    field_order = ("kind", "key", "reason")

    def clean(self) -> dict[str, Any]:
        """People are named by what others know of them; kept is their number."""
        values: dict[str, Any] = super().clean() or {}
        if values.get("kind") == Switch.Kind.USER and "key" in values:
            named = User.objects.filter(username=values["key"]).first()
            values["key"] = str(named.pk) if named else values["key"]
        return values


def switched(request: HttpRequest, form: OffForm) -> bool:
    given = form.cleaned_data
    try:
        switches.switch_off(
            actor=actor_of(request), kind=given["kind"], key=given["key"], reason=given["reason"]
        )
    except RefusedError as refused:
        for name, texts in refused.problem.errors.items():
            form.add_error(name, list(texts))
        if not refused.problem.errors:
            form.add_error(None, refused.problem.detail)
        return False
    return True
