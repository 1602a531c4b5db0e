"""What became of a call, in a sentence; for the demo model only."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from apps.lib.loose_json import object_in
from apps.lib.wording import ENGLISH_VALUES, VALUES, fields_named, is_chinese, labelled
from apps.runtime.demo_words import FORM_TOOL, key_words, label_of, title_of
from apps.runtime.messages import JsonObject, ToolMessage, ToolSpec

_DONE = {"create": "Created", "add": "Added", "update": "Updated", "delete": "Deleted"}
_ASIDE = ("id", "ok", "status", "message", "total", "count", "next")


def tell(result: ToolMessage, tools: Sequence[ToolSpec], *, chinese: bool) -> str:
    """Return the result as one sentence; a list of things has a line for each."""
    value = _object(result.content)
    labels = _labels(tools, chinese)
    if fault := value.get("error") or value.get("errorMessage"):
        return _sentence(_name(result.name, tools, chinese), labelled(str(fault), labels), chinese)
    if result.name == FORM_TOOL:  # true also when it has been submitted
        return "需要的资料都在这张表单里。" if chinese else "All I need to know is in this form."
    found = next((item for item in value.values() if isinstance(item, list)), None)
    if found is not None:
        return _list(found, value.get("total", value.get("count")), labels, chinese)
    inner = (item for item in value.values() if isinstance(item, Mapping))
    verb, _, noun = result.name.partition("_")
    done = _name(result.name, tools, chinese)
    if verb in _DONE:
        done = f"已{done}" if chinese else f"{_DONE[verb]} {noun.replace('_', ' ')}"
    return _sentence(done, _describe(next(inner, value), labels, chinese), chinese)


def refused(results: Sequence[ToolMessage], tools: Sequence[ToolSpec]) -> ToolSpec | None:
    """Return the tool that named one of its fields in a refusal, if a form can mend that."""
    fields = {one.name: fields_named(str(_object(one.content).get("error"))) for one in results}
    named = (t for t in tools if fields.get(t.name, set()) & {*t.parameters.get("properties", {})})
    return next(named, None) if any(tool.name == FORM_TOOL for tool in tools) else None


def offer(tools: Sequence[ToolSpec], *, chinese: bool) -> str:
    """Return what a person may ask for: the first words of each tool, or its name in words."""
    known = [_name(tool.name, tools, chinese) for tool in tools if tool.name != FORM_TOOL]
    told = f"我现在能做的：{'、'.join(known)}。" if chinese else f" I can: {', '.join(known)}."
    return told if known else ""


def _object(content: str) -> JsonObject:
    """Return a JSON object; any other text as what the tool had to say instead of a result."""
    value = object_in(content)
    return {"error": content} if value is None else value


def _sentence(what: str, told: str, chinese: bool) -> str:
    told = told.rstrip("。.")
    return f"{what}：{told}。" if chinese else f"{what}: {told}."


def _name(name: str, tools: Sequence[ToolSpec], chinese: bool) -> str:
    titles = (title_of(tool) for tool in tools if tool.name == name and chinese)
    return next(filter(is_chinese, titles), name.replace("_", " ").capitalize())


def _list(items: list[Any], total: Any, labels: Mapping[str, str], chinese: bool) -> str:
    if not items:
        return "没有找到符合条件的记录。" if chinese else "Nothing was found."
    number = total if isinstance(total, int) else len(items)
    lines = [f"- {_describe(item, labels, chinese)}" for item in items[:10]]
    return "\n".join([f"找到 {number} 条：\n" if chinese else f"Found {number}:\n", *lines])


def _describe(item: Any, labels: Mapping[str, str], chinese: bool) -> str:
    """Return `name（label value，…）`; ids are for machines and stay out."""
    if not isinstance(item, Mapping):
        return str(item)
    words = VALUES if chinese else ENGLISH_VALUES
    known = {key: str(words.get(value, value)) for key, value in _said(item)}
    head = next((key for key in ("name", "title") if key in known), next(iter(known), ""))
    first = known.pop(head, "") or str(item.get("message") or item.get("id") or "OK")
    told = [f"{labels[key]} {value}" for key, value in known.items() if key in labels][:4]
    more = f"（{'，'.join(told)}）" if chinese else f" ({', '.join(told)})"
    return first + more if told else first


def _said(item: JsonObject) -> Iterator[tuple[str, Any]]:
    for key, value in item.items():
        told = isinstance(value, str | int | float) and value not in ("", "unknown")
        if told and key not in _ASIDE and not key.endswith(("Id", "_id")):
            yield key, value


def _labels(tools: Sequence[ToolSpec], chinese: bool) -> dict[str, str]:
    """Return the names that tools give their fields; in English the key's own words."""
    items = {k: v for tool in tools for k, v in tool.parameters.get("properties", {}).items()}
    return {k: label_of(k, item) if chinese else key_words(k) for k, item in items.items()}
