"""Results of tools in sentences for people, in Chinese or English."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from apps.lib.wording import ENGLISH_VALUES, FIND, SYNONYMS, VALUES, says_any, speaks_chinese

_ASIDE = ("id", "ok", "status", "message", "total", "count", "next")


def sentence(what: str, told: str, chinese: bool) -> str:
    """Return `what: told.`"""
    told = told.rstrip("。.")
    return f"{what}：{told}。" if chinese else f"{what}: {told}."


def listed(items: list[Any], total: Any, labels: Mapping[str, str], chinese: bool) -> str:
    """Return how many there are, and a line for each of the first ten."""
    if not items:
        return "没有找到符合条件的记录。" if chinese else "Nothing was found."
    number = total if isinstance(total, int) else len(items)
    lines = [f"- {described(item, labels, chinese)}" for item in items[:10]]
    return "\n".join([f"找到 {number} 条：\n" if chinese else f"Found {number}:\n", *lines])


def described(item: Any, labels: Mapping[str, str], chinese: bool) -> str:
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


def _said(item: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in item.items():
        told = isinstance(value, str | int | float) and value not in ("", "unknown")
        if told and key not in _ASIDE and not key.endswith(("Id", "_id")):
            yield key, value


def form_told(*, chinese: bool, again: bool) -> str:
    """Return what is said of a form; it stands there `again` when the values were refused."""
    if again:
        return "请改正标出的内容，然后重新提交。" if chinese else "Please correct what is marked."
    return "需要的资料都在这张表单里。" if chinese else "All I need to know is in this form."


def lacking(text: str, names: Iterable[str]) -> str:
    """Return why that cannot be done, if no tool of these names does what the text asks for."""
    known = {name.partition("_")[0] for name in names}
    verbs = {verb: words for verb, words in SYNONYMS.items() if words is not FIND}
    wanted = {verb for verb, words in verbs.items() if says_any(text, words)}
    if not wanted or wanted & known:
        return ""
    if speaks_chinese(text):
        return "这件事我不能替您做：可能是您没有这项权限，请联系管理员。"
    return "I cannot do that for you: you probably lack the right to it. Ask an administrator."
