"""Model text as HTML that a page may show: parsed, then sanitised, never trusted.

Guarantees: no raw HTML, script, style or event attribute survives; a link leads to http, https or
mailto, opens beside the page and tells nothing of where it stood; an image becomes a link, so that
nothing is loaded from elsewhere. Text over `MAX_BYTES` is shown as it is, escaped.
"""

import html
import re
from collections.abc import Sequence
from functools import cache

import nh3
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

MAX_BYTES = 200_000
_BLOCKS = {"blockquote", "br", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "p", "pre"}
_LISTS_AND_TABLES = {"ul", "ol", "li", "table", "tbody", "td", "th", "thead", "tr"}
_INLINE = {"a", "code", "del", "em", "s", "strong"}
_ATTRIBUTES = {
    "a": {"href", "title"},
    "code": {"class"},
    "ol": {"start"},
    "td": {"align"},
    "th": {"align"},
}
_ALIGNED = ("center", "right")
_LANGUAGE = re.compile(r"language-[\w+#.-]{1,30}\Z")


def render_markdown(text: str) -> str:
    """CommonMark with tables and strikethrough, as sanitised HTML. Slow: never on the loop."""
    encoded = text.encode(errors="replace")
    if len(encoded) > MAX_BYTES:
        return f"<pre>{html.escape(encoded.decode())}</pre>"
    return nh3.clean(
        _parser().render(encoded.decode()),
        tags=_BLOCKS | _LISTS_AND_TABLES | _INLINE,
        attributes=_ATTRIBUTES,
        attribute_filter=_keep_attribute,
        url_schemes={"http", "https", "mailto"},
        link_rel="noopener noreferrer nofollow",
        set_tag_attribute_values={"a": {"target": "_blank"}},
    )


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 60})
    parser.enable(["table", "strikethrough"])
    parser.add_render_rule("image", _image_as_link)
    parser.core.ruler.push("align", _align_cells)
    return parser


def _align_cells(state: StateCore) -> None:
    """Columns are aligned without a style, which no page of ours allows."""
    for token in state.tokens:
        if token.type in ("th_open", "td_open"):
            side = str(token.attrs.pop("style", "")).removeprefix("text-align:")
            if side in _ALIGNED:
                token.attrs["align"] = side


def _image_as_link(
    renderer: RendererHTML,
    tokens: Sequence[Token],
    index: int,
    options: OptionsDict,
    env: EnvType,
) -> str:
    token = tokens[index]
    source = str(token.attrs.get("src", ""))
    label = renderer.renderInlineAsText(token.children, options, env) or source
    return f'<a href="{html.escape(source)}">{html.escape(label)}</a>'


def _keep_attribute(tag: str, name: str, value: str) -> str | None:
    if tag == "a" and name == "href":
        return value if value.partition(":")[0].lower() in {"http", "https", "mailto"} else None
    if tag == "code" and name == "class":
        return value if _LANGUAGE.match(value) else None
    return value
