"""`{% module "chat/main.js" %}`: a module of ours, and all it leads to fetched at once."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from apps.lib.es_modules import modules_of

register = template.Library()


@register.simple_tag
def module(name: str) -> SafeString:
    """The script, behind a preload of every module it imports, so that none waits for another."""
    *imported, entry = modules_of(name)
    preloads = format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', ((static(one),) for one in imported)
    )
    return format_html('{}\n<script type="module" src="{}"></script>', preloads, static(entry))
