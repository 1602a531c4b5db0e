"""The questions an agent's page suggests."""

from typing import Any

from django.utils.translation import gettext as _

MAX_SUGGESTIONS = 4
MAX_SUGGESTION = 100


def suggestion_faults(value: Any) -> list[str]:
    """Why these are not at most four short texts."""
    if not isinstance(value, list):
        return [_("必须是文字的列表。")]
    if len(value) > MAX_SUGGESTIONS:
        return [_("最多 %(most)s 条建议问题。") % {"most": MAX_SUGGESTIONS}]
    bad = [
        str(place)
        for place, text in enumerate(value, start=1)
        if not isinstance(text, str) or not text.strip() or len(text) > MAX_SUGGESTION
    ]
    text = _("第 %(places)s 条必须是 1 到 %(most)s 个字符的文字。")
    return [text % {"places": ", ".join(bad), "most": MAX_SUGGESTION}] if bad else []
