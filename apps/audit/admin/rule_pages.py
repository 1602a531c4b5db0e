"""The form of a sanitiser rule, its deletion, and the box to try a text in."""

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from apps.accounts.actor import Actor
from apps.audit.admin.acting import Act, ActingAdmin, Told
from apps.audit.models import SanitizerRule
from apps.audit.sanitizer import LIMIT, sanitize, try_rules
from apps.audit.services import sanitizer_rules
from apps.lib.problem import RefusedError

if TYPE_CHECKING:
    AnyForm = forms.ModelForm[SanitizerRule]
else:
    AnyForm = forms.ModelForm


class RuleForm(AnyForm):
    """Saves while it is cleaned, so that a refusal stands at the sample that failed."""

    actor: ClassVar[Actor]

    class Meta:
        model = SanitizerRule
        fields = ("name", "pattern", "hit", "keep", "is_on")
        help_texts = {  # noqa: RUF012
            "pattern": gettext_lazy("RE2 语法的正则表达式；匹配到的部分会被遮盖。"),
            "hit": gettext_lazy("保存前会在这段文字上试用：必须有内容被遮盖。请勿填写真实的秘密。"),
            "keep": gettext_lazy("保存前会在这段文字上试用：必须一字不改。可留空。"),
        }

    def _post_clean(self) -> None:
        """Instead of the model's own validation: the service is the only rule book."""
        if self.errors:
            return
        values = {name: self.cleaned_data[name] for name in self.Meta.fields}
        try:
            self.instance = sanitizer_rules.save(
                actor=self.actor, values=values, rule_id=self.instance.pk
            )
        except RefusedError as refused:
            if refused.problem.status == 403:
                raise PermissionDenied(refused.problem.detail) from refused
            for name, texts in refused.problem.errors.items():
                self.add_error(name, list(texts))
            if not refused.problem.errors:
                self.add_error(None, refused.problem.detail)


class TryForm(forms.Form):
    """A text that is read and forgotten."""

    text = forms.CharField(
        label=gettext_lazy("文字"),
        max_length=LIMIT,
        strip=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text=gettext_lazy("只在这一页上试用，不会保存，也不写入日志。"),
    )


def deleting(rule: SanitizerRule) -> Act:
    """The rule is gone for good."""

    def do(actor: Actor, reason: str) -> Told:
        sanitizer_rules.delete(actor=actor, rule_id=rule.pk, reason=reason)
        return messages.SUCCESS, _("已删除脱敏规则。")

    return Act(
        title=_("删除脱敏规则"),
        sentence=_("之后写入的文字不再按这条规则遮盖；已经遮盖的不会恢复。"),
        button=_("删除 %(key)s") % {"key": rule.name},
        facts=[(_("名称"), rule.name), (_("匹配模式"), rule.pattern)],
        do=do,
        harmful=True,
    )


@require_http_methods(["GET", "POST"])
def try_page(request: HttpRequest, console: ActingAdmin) -> HttpResponse:
    """What would be left of a text, and which rule found what in it; nothing is kept."""
    form = TryForm(request.POST or None)
    shown: dict[str, Any] = {"title": _("试用脱敏规则"), "form": form, "opts": console.opts}
    if form.is_valid():
        text = form.cleaned_data["text"]
        sanitizer_rules.refresh(at_once=True)
        found = [(name, text[start:end]) for name, (start, end) in try_rules(text)]
        shown |= {"redacted": sanitize(text), "found": found}
    context = console.admin_site.each_context(request) | shown
    status = 400 if form.errors else 200
    return TemplateResponse(request, "admin/audit/try.html", context, status=status)
