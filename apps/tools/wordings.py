"""The gateway's fixed texts in the active language."""

from collections.abc import Mapping
from functools import partial

from django.utils.translation import get_language, override
from django.utils.translation import gettext as _

from apps.lib.wording import labelled
from apps.tools.outcome import Wording
from apps.tools.registry.descriptor import ToolDescriptor


def wording() -> Wording:
    """Made once per session, under the caller's locale."""
    locale = get_language() or ""
    return Wording(
        forbidden=_("权限不足"),
        quota=_("调用次数已达上限，请在 {seconds} 秒后重试"),
        unknown=_("没有名为 {name} 的工具。可用的工具：{names}"),
        switched_off=_("此功能已被管理员停用，因此未执行"),
        confirmation=_("此操作需要人工确认，目前无人可以确认，因此未执行"),
        unreadable=_("无法读取调用策略，因此未执行"),
        timed_out=_("工具未在 {seconds} 秒内完成，操作未生效"),
        broken=_("工具发生系统错误，参考编号 {reference}"),
        no_json=_no_json(),
        wrong=_wrong(),
        faults=_faults(),
        labelled=partial(_labelled, locale),
        formats=partial(_formats, locale),
    )


def _wrong() -> str:
    return _("参数有误，请改正后重试：{faults}")


def _labelled(locale: str, tool: ToolDescriptor, text: str) -> str:
    with override(locale):
        text = text.removeprefix(_wrong().partition("{")[0])
        labels = {name: str(told) for name, told in tool.presentation.fields.items()}
        return labelled(text, {name: told[:1].upper() + told[1:] for name, told in labels.items()})


def _formats(locale: str, tool: ToolDescriptor) -> Mapping[str, str]:
    with override(locale):
        return {name: str(told) for name, told in tool.presentation.formats.items()}


def _no_json() -> dict[str, str]:
    return {
        "syntax": _("参数在第 {} 个字符处不是有效的 JSON，请改正后重试。"),
        "constant": _("参数中有 JSON 不允许的 {}，请改正后重试。"),
        "depth": _("参数嵌套过深，请改正后重试。"),
        "number_size": _("参数中有过大的数字，请改正后重试。"),
        "array": _("参数必须是 JSON 对象，不能是数组。"),
        "string": _("参数必须是 JSON 对象，不能是字符串。"),
        "boolean": _("参数必须是 JSON 对象，不能是布尔值。"),
        "number": _("参数必须是 JSON 对象，不能是数字。"),
        "other": _("参数不是有效的 JSON 对象，请改正后重试。"),
    }


def _faults() -> dict[str, str]:
    return {
        "required": _("缺少必填项"),
        "unknown": _("未知字段"),
        "type": _("类型应为 {wanted}"),
        "enum": _("只能是 {wanted} 之一"),
        "pattern": _("格式不正确，要求：{wanted}"),
        "minLength": _("至少 {wanted} 个字符"),
        "maxLength": _("最多 {wanted} 个字符"),
        "minimum": _("不能小于 {wanted}"),
        "maximum": _("不能大于 {wanted}"),
        "other": _("不符合规则 {rule}"),
    }
