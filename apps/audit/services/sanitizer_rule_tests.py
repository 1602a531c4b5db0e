"""The tests that an operator's rule passes before it is saved."""

from functools import cache
from pathlib import Path

from django.utils.translation import gettext as _

from apps.audit.models import SanitizerRule
from apps.audit.redaction.extra import ExtraRule, PatternError, extra_rule
from apps.audit.sanitizer import LIMIT, RULES

Faults = dict[str, list[str]]
_PLAIN = Path(__file__).parent.parent / "data" / "plain_texts.txt"


def faults(row: SanitizerRule) -> Faults:
    """By field: what is wrong, and what to do about it. Empty when the rule may be saved."""
    found = _named(row)
    try:
        rule = extra_rule(row.name, row.pattern)
    except PatternError as error:
        found["pattern"] = [_unusable(str(error))]
        return found
    if text := _about_pattern(row, rule):
        return {**found, "pattern": [text]}
    if text := _about_hit(row, rule):
        found["hit"] = [text]
    if any(rule.spans(row.keep)):
        found["keep"] = [_("这条规则会遮盖必须保留的样例。请把模式写得更窄，或改正样例。")]
    return found


def _named(row: SanitizerRule) -> Faults:
    if not row.name.strip() or len(row.name) > 64:
        return {"name": [_("请填写名称，最多 64 个字符。")]}
    taken = SanitizerRule.objects.filter(name=row.name).exclude(pk=row.pk).exists()
    if taken or row.name in {rule.name for rule in RULES}:
        return {"name": [_("已有同名的规则，请换一个名称。")]}
    return {}


def _unusable(reason: str) -> str:
    return _(
        "模式无法使用：{reason}。请按 RE2 语法书写：没有反向引用和前后断言，重复不超过 1000 次。"
    ).format(reason=reason)


def _about_pattern(row: SanitizerRule, rule: ExtraRule) -> str:
    if not row.pattern.strip() or len(row.pattern) > 500:
        return _("请填写模式，最多 500 个字符。")
    if rule.pattern.search("") is not None:
        return _("这个模式连空文字也匹配。请至少要求一个字符，例如把 * 改为 +。")
    for line in plain_texts():
        if any(rule.spans(line)):
            return _("这个模式会遮盖普通文字「{text}」。请把模式写得更窄。").format(text=line)
    return ""


def _about_hit(row: SanitizerRule, rule: ExtraRule) -> str:
    if not row.hit or len(row.hit) > LIMIT or len(row.keep) > LIMIT:
        return _("请填写必须遮盖的样例；每个样例最多 {limit} 个字符。").format(limit=LIMIT)
    if not any(rule.spans(row.hit)):
        return _("这个模式在必须遮盖的样例里什么也没有找到。请改正模式或样例。")
    return ""


@cache
def plain_texts() -> tuple[str, ...]:
    """Harmless lines that no rule may touch."""
    return tuple(_PLAIN.read_text(encoding="utf-8").splitlines())
