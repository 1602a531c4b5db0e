"""What people read when a run failed: by code, in their language, safe to show."""

from math import ceil

from django.utils import translation
from django.utils.translation import gettext as _

RATE_LIMITED = "model_rate_limited"
LONGEST_WAIT = 3600.0
"""Seconds; who announces more is not quoted."""


def error_text(code: str, locale: str, *, retry_after: float | None = None) -> str:
    """The text of the code, in the language of the user; an unknown code has the general one.

    `retry_after` is the wait in seconds that the model service has announced.
    """
    with translation.override(locale or None):
        if code == RATE_LIMITED and retry_after is not None and retry_after <= LONGEST_WAIT:
            return _("模型服务繁忙，请在 {seconds} 秒后重试。").format(seconds=ceil(retry_after))
        return _texts().get(code) or _("运行出错了，请重试。")


def error_texts(locale: str) -> dict[str, str]:
    """By code, for pages that tell an error as it happens.

    Without the one that says how long to wait: that is told by the event alone.
    """
    with translation.override(locale or None):
        return {code: text for code, text in _texts().items() if code != RATE_LIMITED}


def _texts() -> dict[str, str]:
    return {
        "internal_error": _("系统内部出错，请重试。如果反复出现，请把追踪号告诉管理员。"),
        "run_interrupted": _("处理这条消息的进程中断了，请重试。"),
        "answer_too_large": _("回答过长，已停止。请把问题拆小后重试。"),
        "storage_unavailable": _("暂时无法保存运行的内容，请稍后重试。"),
        "model_unreachable": _("无法连接模型服务，请稍后重试。"),
        "model_timeout": _("模型服务没有及时回答，请重试。"),
        "model_unavailable": _("模型服务暂时不可用，请稍后重试。"),
        "model_rate_limited": _("模型服务繁忙，请稍后重试。"),
        "context_length_exceeded": _("对话太长，模型无法处理。请开始新的会话。"),
        "model_authentication": _("模型服务拒绝了凭证，请联系管理员。"),
        "model_request_rejected": _("模型服务拒绝了这个请求，请联系管理员。"),
        "model_bad_answer": _("模型的回答中断或无法读取，请重试。"),
        "tool_failed": _("工具执行出错，请重试。"),
        "provider_unavailable": _("智能体的模型服务已停用，请联系管理员。"),
        "provider_not_configured": _("智能体的模型服务没有配置好，请联系管理员。"),
        "switched_off": _("管理员停用了这次运行所需的内容，请联系管理员。"),
        "run_failed": _("运行出错了，请重试。"),
    }
