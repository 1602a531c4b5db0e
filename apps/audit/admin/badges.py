"""States as badges: a word always, a colour beside it."""

from django.utils.html import format_html
from django.utils.safestring import SafeString

TONES = {
    "open": "warning",
    "acknowledged": "info",
    "critical": "danger",
    "warning": "warning",
    "info": "info",
    "succeeded": "success",
    "failed": "danger",
    "refused": "danger",
    "timed_out": "danger",
    "system_error": "danger",
    "unknown": "warning",
    "off": "danger",
    "on": "success",
}


def badge(value: str, word: str) -> SafeString:
    """The word of a state; one that nobody gave a tone is neutral."""
    return format_html('<span class="badge {}">{}</span>', TONES.get(value, "neutral"), word)
