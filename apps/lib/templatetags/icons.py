"""`{% icon "copy" %}`: one icon of the sprite, in the colour of the text around it.

`{% drawn_icon "menu" %}` draws it in the page, for what is looked at before the sprite is there.
"""

from functools import cache

from django import template
from django.conf import settings
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from apps.lib.sprite import symbols

register = template.Library()


@register.simple_tag
def icon(name: str, size: int = 16) -> SafeString:
    """Decoration only: whoever uses it gives the words."""
    return _icon(name, size, settings.STATIC_URL)


@register.simple_tag
@cache
def drawn_icon(name: str, size: int = 16) -> SafeString:
    """KeyError for a name that the sprite has not."""
    attributes, drawing = symbols()[name]
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" aria-hidden="true" focusable="false" {1}>'
        "{2}</svg>",
        size,
        mark_safe(attributes),  # noqa: S308, a file of ours
        mark_safe(drawing),  # noqa: S308
    )


@cache
def _icon(name: str, size: int, _static_url: str) -> SafeString:
    return format_html(
        '<svg class="icon" width="{0}" height="{0}" aria-hidden="true" focusable="false">'
        '<use href="{1}#{2}"></use></svg>',
        size,
        static("icons/sprite.svg"),
        name,
    )
