"""A page as a tree, read by Python's own parser: what tests look for, and nothing more."""

from collections.abc import Iterator
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "input", "link", "meta"}


class Node:
    """An element with its attributes and what is in it."""

    def __init__(self, tag: str, attributes: dict[str, str]) -> None:
        self.tag = tag
        self.attributes = attributes
        self.children: list[Node | str] = []

    def get(self, name: str) -> str | None:
        return self.attributes.get(name)

    @property
    def text(self) -> str:
        """All text in it, white space made plain."""
        return " ".join("".join(self._texts()).split())

    def _texts(self) -> Iterator[str]:
        for child in self.children:
            if isinstance(child, str):
                yield child
            else:
                yield from child._texts()

    def all(self, tag: str = "", /, *, templates: bool = False, **wanted: str) -> list["Node"]:
        """Below it, by tag and attributes (`data_role="user"`); without the templates' content."""
        return [node for node in self._walk(templates) if node.matches(tag, wanted)]

    def one(self, tag: str = "", /, *, templates: bool = False, **wanted: str) -> "Node":
        found = self.all(tag, templates=templates, **wanted)
        assert len(found) == 1, f"{len(found)} of {tag} {wanted}"
        return found[0]

    def slot(self, name: str) -> "Node":
        return self.one(data_slot=name)

    def matches(self, tag: str, wanted: dict[str, str]) -> bool:
        """A value is the whole attribute or one of its words; a leading `_` spares keywords."""
        return tag in {"", self.tag} and all(self._has(*pair) for pair in wanted.items())

    def _has(self, name: str, value: str) -> bool:
        found = self.get(name.strip("_").replace("_", "-"))
        return found is not None and (found == value or value in found.split())

    def _walk(self, templates: bool) -> Iterator["Node"]:
        for child in self.children:
            if isinstance(child, Node):
                yield child
                if templates or child.tag != "template":
                    yield from child._walk(templates)


class _Builder(HTMLParser):
    """Builds the tree, and refuses tags that do not match."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open = [Node("", {})]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        node = Node(tag, {name: value or "" for name, value in attrs})
        assert len(node.attributes) == len(attrs), f"an attribute twice: {tag} {attrs}"
        self.open[-1].children.append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        assert self.open[-1].tag == tag, f"</{tag}> closes <{self.open[-1].tag}>"
        self.open.pop()

    def handle_data(self, data: str) -> None:
        self.open[-1].children.append(data)


def parse(html: str) -> Node:
    """The page's root; AssertionError when it is not well-formed."""
    builder = _Builder()
    builder.feed(html)
    builder.close()
    assert len(builder.open) == 1, f"left open: {[node.tag for node in builder.open]}"
    return builder.open[0]
