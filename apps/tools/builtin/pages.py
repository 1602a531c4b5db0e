"""A page as text; pure. What the markup hides (scripts, styles, comments) is not told.

One pass from left to right whose time grows with the page alone, however it is nested or broken:
what is opened and never closed hides all that follows.
"""

import html
import re
from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import urljoin

BLOCKS = frozenset(
    {"address", "article", "aside", "blockquote", "br", "dd", "div", "dl", "dt", "figure", "footer",
     "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "nav", "ol",
     "option", "p", "pre", "section", "table", "title", "tr", "ul"}
)  # fmt: skip
HIDDEN = frozenset({"math", "noscript", "script", "style", "svg", "template"})
TITLE_LIMIT = 200
_TAG = re.compile(r"""<(/?)([A-Za-z][^\s/>]*+)((?:[^>"']|"[^"]*+"|'[^']*+')*+)>""")
_OPENED = re.compile(r"</?[A-Za-z]|<!--|<[!?]")
_HREF = re.compile(r"""\shref\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s"'>]++))""", re.IGNORECASE)
_META = re.compile(rb"<meta[^<>]{0,200}?charset\s*=\s*[\"']?([A-Za-z0-9_:.-]{1,40})", re.IGNORECASE)
_HEAD = 4_096


class PageText(NamedTuple):
    """What is to be read of a page."""

    title: str
    text: str


class Piece(NamedTuple):
    """A stretch of text, or a tag: its name in lower case, closing with a `/` before it."""

    text: str = ""
    tag: str = ""
    attributes: str = ""


def page_text(markup: str, url: str) -> PageText:
    """Blocks on lines of their own, cells parted by blanks, links as `text (address)`."""
    told: list[str] = []
    title, link = "", ""
    titled = False
    for piece in _pieces(markup):
        if piece.tag in ("title", "/title"):
            titled = piece.tag == "title" and not title
        elif titled:
            title += html.unescape(piece.text)
        elif piece.tag == "a":
            link = _target(piece.attributes, url)
        elif piece.tag == "/a" and link:
            told.append(f" ({link})")
            link = ""
        else:
            told.append(_between(piece.tag) if piece.tag else html.unescape(piece.text))
    return PageText(_line(title)[:TITLE_LIMIT], plain_text("".join(told)))


def plain_text(text: str) -> str:
    """Without blank lines in a row and blanks at the ends of lines."""
    lines = [_line(line) for line in text.splitlines()]
    kept = [line for place, line in enumerate(lines) if line or (place and lines[place - 1])]
    return "\n".join(kept).strip()


def decoded(body: bytes, charset: str, *, is_markup: bool) -> str:
    """As the sender says, else as the markup says, else UTF-8; what is unreadable is replaced."""
    found = _META.search(body[:_HEAD]) if is_markup and not charset else None
    named = charset or (found[1].decode("ascii") if found else "utf-8")
    for encoding in (named, "utf-8"):
        try:
            return body.decode(encoding, errors="replace").removeprefix("\ufeff")
        except (LookupError, ValueError):
            continue
    return ""


def _pieces(markup: str) -> Iterator[Piece]:
    place = 0
    while found := _OPENED.search(markup, place):
        yield Piece(text=_flat(markup[place : found.start()]))
        if found[0] in ("<!--", "<!", "<?"):
            place = _after("-->" if found[0] == "<!--" else ">", markup, found.end())
            continue
        tag = _TAG.match(markup, found.start())
        if tag is None:
            return
        name = tag[2].lower()
        yield Piece(tag=tag[1] + name, attributes=tag[3])
        place = tag.end()
        if name in HIDDEN and not tag[1]:
            place = _closing(name, markup, place)
    yield Piece(text=_flat(markup[place:]))


def _after(end: str, markup: str, place: int) -> int:
    found = markup.find(end, place)
    return len(markup) if found < 0 else found + len(end)


def _closing(name: str, markup: str, place: int) -> int:
    found = re.compile(rf"</{name}(?=[\s/>])", re.IGNORECASE).search(markup, place)
    return found.start() if found else len(markup)


def _between(tag: str) -> str:
    """What parts the text where this tag stands."""
    name = tag.removeprefix("/")
    if name in ("td", "th"):
        return " "
    return "\n" if name in BLOCKS else ""


def _target(attributes: str, url: str) -> str:
    """The whole address a link leads to; empty where it leads into the page or nowhere."""
    found = _HREF.search(f" {attributes}")
    target = html.unescape(next(filter(None, found.groups()), "")).strip() if found else ""
    if not target or target.startswith("#"):
        return ""
    try:
        whole = urljoin(url, target)
    except ValueError:
        return ""
    return whole if whole.startswith(("http://", "https://")) else ""


def _flat(text: str) -> str:
    """Line breaks of the source mean nothing."""
    return re.sub(r"\s+", " ", text)


def _line(text: str) -> str:
    return " ".join(text.split())
