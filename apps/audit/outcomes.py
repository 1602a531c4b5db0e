"""The outcomes of calls, in the words that people read."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

OUTCOMES = {
    "succeeded": gettext_lazy("成功"),
    "failed": gettext_lazy("失败"),
    "refused": gettext_lazy("已拒绝"),
    "timed_out": gettext_lazy("超时"),
    "cancelled": gettext_lazy("已取消"),
    "not_executed": gettext_lazy("未执行"),
    "unknown": gettext_lazy("结果未知"),
    "system_error": gettext_lazy("系统错误"),
}


def outcome_word(outcome: str) -> str:
    """A word that nobody listed stands as it is."""
    return str(OUTCOMES.get(outcome, outcome)) if outcome else _("无")
