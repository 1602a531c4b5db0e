"""Why an answer is shorter than it would have been, where the answer itself does not say so."""

from django.utils.translation import gettext as _


def end_texts() -> dict[str, str]:
    """By finish reason, in the active language; for the bounds of ours see `limit_texts`."""
    return {
        "length": _("回答未完：已达长度上限。"),
        "filtered": _("回答未完：模型服务过滤了其余内容。"),
    }
