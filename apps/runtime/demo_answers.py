"""What became of a call, in a sentence; for the demo model only."""

from collections.abc import Collection, Mapping, Sequence

from apps.lib.asking import key_words, label_of
from apps.lib.loose_json import object_in
from apps.lib.telling import described, form_told, listed, sentence
from apps.lib.wording import fields_named, from_field, is_chinese, labelled
from apps.runtime.demo_words import FORM_TOOL, title_of
from apps.runtime.messages import (
    AssistantMessage,
    JsonObject,
    ModelRequest,
    ToolMessage,
    ToolSpec,
)

_DONE = {"create": "Created", "add": "Added", "update": "Updated", "delete": "Deleted"}


def tell(
    result: ToolMessage, tools: Sequence[ToolSpec], *, chinese: bool, again: bool = False
) -> str:
    """Return the result as one sentence; a list of things has a line for each.

    A form may stand there `again`.
    """
    value, labels = _object(result.content), _labels(tools, chinese)
    if fault := value.get("error") or value.get("errorMessage"):
        told = labelled(from_field(str(fault), labels), labels)
        return sentence(_name(result.name, tools, chinese), told, chinese)
    if result.name == FORM_TOOL:  # true also when it has been submitted
        return form_told(chinese=chinese, again=again)
    found = next((item for item in value.values() if isinstance(item, list)), None)
    if found is not None:
        return listed(found, value.get("total", value.get("count")), labels, chinese)
    inner = (item for item in value.values() if isinstance(item, Mapping))
    verb, _, noun = result.name.partition("_")
    done = _name(result.name, tools, chinese)
    if verb in _DONE:
        done = f"已{done}" if chinese else f"{_DONE[verb]} {noun.replace('_', ' ')}"
    return sentence(done, described(next(inner, value), labels, chinese), chinese)


def told_in_chinese(results: Sequence[ToolMessage], *, person: bool) -> bool:
    """Whether an answer about these is: in the person's language, but in that of their faults."""
    faults = [str(fault) for one in results if (fault := _object(one.content).get("error"))]
    return is_chinese(faults[-1]) if faults else person


def refused(
    results: Sequence[ToolMessage], request: ModelRequest
) -> tuple[ToolSpec, Collection[str]] | None:
    """Return the tool that named one of its fields in a refusal, if a form can mend that, and what
    it was given or named."""
    tools = {tool.name: tool for tool in request.tools}
    said = (one for one in request.messages if isinstance(one, AssistantMessage))
    given = {call.id: {*call.arguments} for one in said for call in one.calls}
    for one in results if FORM_TOOL in tools else ():
        known = {*tools[one.name].parameters.get("properties", {})} if one.name in tools else set()
        if named := known & fields_named(str(_object(one.content).get("error"))):
            return tools[one.name], named | (known & given.get(one.call_id, set()))
    return None


def offer(tools: Sequence[ToolSpec], *, chinese: bool) -> str:
    """Return what a person may ask for: the first words of each tool, or its name in words."""
    known = [_name(tool.name, tools, chinese) for tool in tools if tool.name != FORM_TOOL]
    told = f"我现在能做的：{'、'.join(known)}。" if chinese else f" I can: {', '.join(known)}."
    return told if known else ""


def _object(content: str) -> JsonObject:
    """Return a JSON object; any other text as what the tool had to say instead of a result."""
    value = object_in(content)
    return {"error": content} if value is None else value


def _name(name: str, tools: Sequence[ToolSpec], chinese: bool) -> str:
    titles = (title_of(tool) for tool in tools if tool.name == name and chinese)
    return next(filter(is_chinese, titles), name.replace("_", " ").capitalize())


def _labels(tools: Sequence[ToolSpec], chinese: bool) -> dict[str, str]:
    """Return the names that tools give their fields; in English the key's own words."""
    items = {k: v for tool in tools for k, v in tool.parameters.get("properties", {}).items()}
    return {k: label_of(k, item) if chinese else key_words(k) for k, item in items.items()}
