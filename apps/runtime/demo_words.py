"""What the words of a person ask for, tool and arguments; for the demo model only."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from apps.lib import asking, wording
from apps.runtime.messages import JsonObject, Message, ToolSpec, UserMessage

FORM_TOOL = "render_form"
_SUBMITTED = re.compile(r"已提交「(.*?)」表单：(.*)", re.S)
_QUOTED = re.compile(
    r"[\"“「『'‘]([^\"”」』'’]+)[\"”」』'’]"
    r"|(?i:named|called|名叫|名为|叫)\s*([A-Z]\w*(?: [A-Z]\w*)+|[^\W的]+)"
)


def submitted(text: str) -> tuple[str, str] | None:
    """Return title and values of a submitted form, out of its summary."""
    return (found[1], found[2]) if (found := _SUBMITTED.fullmatch(text)) else None


def speaks_chinese(messages: Sequence[Message]) -> bool:
    """Whether the person does; the summary of a form is not the person's own words."""
    said = [message.content for message in messages if isinstance(message, UserMessage)]
    own = [text for text in said if not submitted(text)] or said
    return bool(own) and wording.speaks_chinese(own[-1])


def title_of(tool: ToolSpec) -> str:
    """Return what the tool does, in its own first words."""
    return re.split(r"[。.\n]", tool.description)[0].strip() or tool.name


def best_tool(tools: Sequence[ToolSpec], text: str) -> ToolSpec | None:
    """Return the tool whose name and description share most with the text, the verb above all."""
    scores = [(_score(tool, text), tool) for tool in tools if tool.name != FORM_TOOL]
    best, tool = max(scores, key=lambda pair: pair[0], default=(0, None))
    return tool if best >= 2 else None


def _searched(tool: ToolSpec, text: str) -> str:
    """Return what the text wants found; nothing when the tool does not search."""
    verbs = _verbs(tool)
    return wording.without(text, verbs, _keywords(tool)) if verbs is wording.FIND else ""


def _score(tool: ToolSpec, text: str) -> int:
    shared = len(wording.keywords(text) & _keywords(tool))
    named = shared and wording.says_any(text, _verbs(tool))
    sought = tool.name.startswith(("search", "find")) and wording.seeks(text)
    return shared + 2 if named or sought else shared


def _verbs(tool: ToolSpec) -> Sequence[str]:
    return wording.SYNONYMS.get(tool.name.partition("_")[0], ())


def _keywords(tool: ToolSpec) -> set[str]:
    return wording.keywords(f"{tool.name.replace('_', ' ')} {tool.description}")


def fill_arguments(tool: ToolSpec, said: UserMessage) -> dict[str, Any]:
    """Return the values of a form, else what the text gives: `label=value` pairs, else enum words,
    quotes and numbers.

    A tool that searches and got none of these looks for the words that are left.
    """
    properties: Mapping[str, JsonObject] = tool.parameters.get("properties", {})
    if (values := said.values) is not None:
        known = {name: values[name] for name in properties if name in values}
        return {name: asking.typed(properties[name], value) for name, value in known.items()}
    text = said.content
    required = tool.parameters.get("required", ())
    form, pairs = submitted(text), _pairs(properties, text)
    named = " ".join(pairs.values())
    quoted = (word for pair in _QUOTED.findall(text) if (word := "".join(pair)) not in named)
    loose = {"string": quoted, "number": iter(() if pairs else asking.NUMBER.findall(text))}
    found: dict[str, Any] = {}
    for name, item in properties.items():
        value = pairs.get(name)
        if value is None and not form and (name in required or not pairs):
            value = _unnamed(item, text, loose if name in required else {})
        if value is not None:
            found[name] = asking.typed(item, value)
    rest = "" if found or form else _searched(tool, text)
    texts = (name for name, item in properties.items() if asking.type_of(item) == "string")
    return {next(texts, "text"): next(quoted, rest)} if rest else found


def form_for(tool: ToolSpec, *, chinese: bool, given: Collection[str] = ()) -> dict[str, Any]:
    """Return the arguments of `render_form` that ask for what the tool wants, in that language.

    Ids of other rows are nothing that a person knows: left out unless required or given.
    """
    required, wanted = set(tool.parameters.get("required", ())), {*given}
    items = tool.parameters.get("properties", {}).items()
    wanted |= {name for name, _ in items if name in required or not name.endswith("Id")}
    asked = {name: item for name, item in items if name in wanted}
    names = sorted(asked, key=lambda name: name not in required)
    fields = [
        asking.field_for(name, asked[name], required=name in required, chinese=chinese)
        for name in names[:8]
    ]
    title = title_of(tool)
    if not chinese and wording.is_chinese(title):
        title = asking.english_of(tool.name)
    return {"title": title[:50], "fields": fields}


def _pairs(properties: Mapping[str, JsonObject], text: str) -> dict[str, str]:
    """Return values by name; in a summary only the next label ends a value."""
    form = submitted(text)
    names = {asking.label_of(name, item): name for name, item in properties.items()}
    names |= {key: name for name in properties for key in (name, asking.english_of(name))}
    labels = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    sign = "=" if form else r"\s*[=:：]\s*"
    before = "(?:^|，)" if form else r"(?:^|[\s，,；;：:])"
    parts = re.split(f"{before}({labels}){sign}", form[1] if form else text) if labels else []
    given = dict(zip(parts[1::2], parts[2::2], strict=True))
    ends = re.compile(r"$" if form else r"[，,；;。\n]|$")
    values = {names[label]: ends.split(value)[0].strip() for label, value in given.items()}
    return {name: value for name, value in values.items() if value not in ("", "未填写")}


def _unnamed(item: JsonObject, text: str, loose: Mapping[str, Iterator[str]]) -> Any:
    for value in item.get("enum") or ():
        if wording.says_value(text, str(value)):
            return value
    kind = asking.type_of(item)
    return next(loose.get("number" if kind == "integer" else kind, iter(())), None)
