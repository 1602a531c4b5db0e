"""What a short request in Chinese or English says, without a dictionary.

Words are compared as keywords: English words of four letters and more without a plural s, Chinese
as pairs of neighbouring characters.
"""

import re
from collections.abc import Mapping, Sequence

FIND = ("search", "find", "list", "query", "show", "look", "查找", "搜索", "查询", "查", "找")
CREATE = ("create", "add", "new", "register", "新增", "添加", "新建", "录入", "创建")
SYNONYMS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("create", "add"), CREATE),
    **dict.fromkeys(("search", "find", "list", "get"), FIND),
    "update": ("update", "change", "edit", "修改", "更新"),
    "delete": ("delete", "remove", "删除"),
}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_FILLING = re.compile(
    r"帮我|一下|所有|全部|有哪些|一个|名单|列表|名叫|[请叫姓的，。？！、?!.,:：“”\"']|\b(?:please|can|could"
    r"|you|me|all|any|the|a|an|for|of|up|by|with|who|is|are|named|called|name|my|our)\b",
    re.IGNORECASE,
)


def is_chinese(text: str) -> bool:
    """Whether any Han character is in the text."""
    return bool(_HAN.search(text))


def keywords(text: str) -> set[str]:
    """Return what two texts can have in common."""
    words = {_stem(word) for word in re.findall(r"[a-z]{4,}", text.lower())}
    runs = re.findall(r"[\u4e00-\u9fff]+", text)
    return words | {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def says_any(text: str, verbs: Sequence[str]) -> bool:
    """Whether one of the verbs is in the text."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return any(verb in (text if is_chinese(verb) else words) for verb in verbs)


def without(text: str, verbs: Sequence[str], known: set[str]) -> str:
    """Return what is left when verbs, known keywords and politeness are taken away."""
    pairs = {place for place in range(len(text)) if text[place : place + 2] in known}
    rest = "".join(" " if {place, place - 1} & pairs else sign for place, sign in enumerate(text))
    rest = re.sub("|".join(verb for verb in verbs if is_chinese(verb)), " ", rest)
    words = _FILLING.sub(" ", rest).split()
    known = known | {*verbs}
    return " ".join(word for word in words if not {_stem(word), word.lower()} & known)


def _stem(word: str) -> str:
    return word.lower().removesuffix("s")
