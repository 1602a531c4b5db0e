"""What an answer ends with when a bound ended it: what happened, and what to do."""

from django.utils import translation
from django.utils.translation import gettext as _


def limit_text(reason: str | None, locale: str) -> str:
    """The sentence of the finish reason, in the language of the user; none for an own end."""
    with translation.override(locale or None):
        return _texts().get(reason or "", "")


def _texts() -> dict[str, str]:
    return {
        "repeated": _("模型反复发出同一个调用，本次回答已停止。可以换个说法再试一次。"),
        "iterations": _("步骤数已达上限，本次回答已停止。可以把任务拆小后再试一次。"),
        "tokens": _("用量已达上限，本次回答已停止。可以把任务拆小后再试一次。"),
        "time": _("用时已达上限，本次回答已停止。可以稍后再试，或把任务拆小。"),
    }
