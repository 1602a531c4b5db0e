"""The form of a quota: says of each fault in which field it is, and what would be right."""

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import Organisation
from apps.tools.models import Quota

if TYPE_CHECKING:
    AnyForm = forms.ModelForm[Quota]
else:
    AnyForm = forms.ModelForm

LONGEST_S = 31 * 86_400
HELP = {
    "organisation": gettext_lazy("留空表示全部组织。"),
    "user": gettext_lazy("留空表示所有用户。"),
    "agent": gettext_lazy("智能体的代码，例如 assistant；留空表示所有智能体。"),
    "tool": gettext_lazy("工具的名称，例如 create_student；留空表示所有工具。"),
    "each_user": gettext_lazy("每个用户各有上限；不选则所有用户共用一个上限。"),
    "limit": gettext_lazy("一个窗口内最多调用的次数；0 表示一次也不允许。"),
    "window_s": gettext_lazy(
        "窗口的长度，单位是秒：60 是一分钟，3600 是一小时，86400 是一天；最长 31 天。"
    ),
}


class QuotaForm(AnyForm):
    """What is limited, by how much, and why."""

    reason = forms.CharField(
        label=gettext_lazy("理由"),
        max_length=1_000,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text=gettext_lazy("写入配置变更记录，之后不能修改。"),
    )

    class Meta:
        model = Quota
        fields = (
            "name", "organisation", "user", "agent", "tool", "each_user", "limit", "window_s",
            "is_on",
        )  # fmt: skip
        help_texts = HELP

    def clean_window_s(self) -> int:
        seconds: int = self.cleaned_data["window_s"]
        if not 1 <= seconds <= LONGEST_S:
            text = _("窗口须在 1 到 %(most)d 秒之间；例如一小时填 3600。")
            raise forms.ValidationError(text % {"most": LONGEST_S})
        return seconds

    def clean(self) -> dict[str, Any]:
        values: dict[str, Any] = super().clean() or {}
        organisation = values.get("organisation", self.instance.organisation)
        user = values.get("user")
        if user and organisation and user.organisation_id != organisation.pk:
            self.add_error("user", _("这个用户不属于所选组织；请换一个用户，或改选其组织。"))
        return values


def form_of(organisation: Organisation) -> type[QuotaForm]:
    """For quotas of that organisation and no other."""

    class OwnQuotaForm(QuotaForm):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.instance.organisation = organisation

    return OwnQuotaForm
