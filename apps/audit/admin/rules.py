"""Sanitiser rules: saved only after their samples were tried, and a box to try a text in."""

from typing import TYPE_CHECKING, Any, ClassVar

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from apps.accounts.actor import Actor
from apps.audit.admin.acting import Act, ActingAdmin, Offer, Told
from apps.audit.admin.badges import badge
from apps.audit.admin.reading import actor_of, column
from apps.audit.models import SanitizerRule
from apps.audit.sanitizer import LIMIT, sanitize, try_rules
from apps.audit.services import sanitizer_rules
from apps.lib.problem import RefusedError

if TYPE_CHECKING:
    AnyForm = forms.ModelForm[SanitizerRule]
else:
    AnyForm = forms.ModelForm

BY = (
    column("changed_by", gettext_lazy("变更人")),
    column("changed_at", gettext_lazy("变更时间")),
)


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
        facts=[(_("名称"), rule.name), (_("模式"), rule.pattern)],
        do=do,
        harmful=True,
    )


class SanitizerRuleAdmin(ActingAdmin):
    """Rules of the whole installation: with Django's rights for them."""

    right = "audit.view_sanitizerrule"
    form = RuleForm
    change_list_template = "admin/audit/rules.html"
    list_display = ("name", "pattern", "told_state", *BY)
    list_filter = ("is_on",)
    search_fields = ("name", "pattern")
    ordering = ("name",)
    offers: ClassVar = {
        "remove": Offer(label=gettext_lazy("删除…"), states=("kept",), act=deleting)
    }

    def scoped(self, rows: Any, user: Any) -> Any:
        return rows

    def state_of(self, row: Any) -> str:
        return "kept"

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return any(request.user.has_perm(f"audit.{act}_sanitizerrule") for act in _ACTS)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return self.has_view_permission(request)

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("audit.add_sanitizerrule"))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return bool(request.user.has_perm("audit.change_sanitizerrule"))

    def may_act(self, request: HttpRequest) -> bool:
        return bool(request.user.has_perm("audit.delete_sanitizerrule"))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **kwargs)
        form.actor = actor_of(request)  # type: ignore[attr-defined]  # a class of this request
        return form

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """The form has saved it already."""

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.try_view)
        return [path("try/", view, name="audit_sanitizerrule_try"), *super().get_urls()]

    def try_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        return try_page(request, self)

    @admin.display(description=gettext_lazy("状态"), ordering="is_on")
    def told_state(self, rule: SanitizerRule) -> str:
        return badge("on", _("启用")) if rule.is_on else badge("", _("已停用"))


_ACTS = ("view", "add", "change", "delete")


@require_http_methods(["GET", "POST"])
def try_page(request: HttpRequest, console: ActingAdmin) -> HttpResponse:
    """What would be left of a text, and which rule found what in it; nothing is kept."""
    form = TryForm(request.POST or None)
    shown: dict[str, Any] = {"title": _("试用脱敏规则"), "form": form, "opts": console.opts}
    if form.is_valid():
        text = form.cleaned_data["text"]
        sanitizer_rules.refresh()
        found = [(name, text[start:end]) for name, (start, end) in try_rules(text)]
        shown |= {"redacted": sanitize(text), "found": found}
    context = console.admin_site.each_context(request) | shown
    status = 400 if form.errors else 200
    return TemplateResponse(request, "admin/audit/try.html", context, status=status)
