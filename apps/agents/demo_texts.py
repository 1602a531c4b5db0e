"""What the demonstration's agent says of itself, in the reader's language.

Configuration has one text for everybody, and what an operator wrote is shown as it is. These texts
were written by us, so they are in the catalogue like all other words of ours; an operator who
changes one has his own from then on.
"""

from collections.abc import Callable, Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from apps.tools.policy import wanted_rights as rights_of
from apps.tools.registry import catalogue

NAME = gettext_noop("学生助理")
WELCOME = gettext_noop("您好，我是学生助理。")
WELCOME_2 = gettext_noop("您好，我是学生助理。我可以帮您新增和查找学生。")
SUGGESTIONS = (gettext_noop("帮我新增一个学生"), gettext_noop("列出所有学生"))
_FORMER = gettext_noop("查找三年一班的学生")
_TOOLS = {SUGGESTIONS[0]: "create_student", SUGGESTIONS[1]: "search_students"}
_OURS = frozenset({NAME, WELCOME, WELCOME_2, *SUGGESTIONS, _FORMER})


def for_reader(text: str) -> str:
    """A text of an agent in the active language, if it is one of ours."""
    return _(text) if text in _OURS else text


def within_rights(suggestions: Iterable[str], has: Callable[[str], bool]) -> tuple[str, ...]:
    """Without those of ours, as the reader sees them, whose tool the reader may not use."""
    tools = {for_reader(text): catalogue.get(name) for text, name in _TOOLS.items()}
    closed = {text for text, tool in tools.items() if tool and not all(map(has, rights_of(tool)))}
    return tuple(text for text in suggestions if text not in closed)


def in_english(text: str) -> str:
    """The same for an English sentence, whatever the active language is."""
    with override("en"):
        return for_reader(text)
