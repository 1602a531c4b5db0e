"""What a short request in Chinese or English says, without a dictionary.

Words are compared as keywords: English words of four letters and more without a plural s, Chinese
as pairs of neighbouring characters.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

FIND = (
    *("search", "find", "list", "query", "show", "look", "display", "view", "see", "get", "which"),
    *("who", "many", "have", "there"),
    *("查找", "搜索", "查询", "显示", "列出", "看看", "看一下", "哪些", "有没有", "多少"),
    *("查", "找", "搜", "谁"),
)
CREATE = (
    *("create", "add", "new", "register", "enroll", "enrol"),
    *("新增", "添加", "新建", "录入", "创建", "增加", "登记", "注册", "加一个", "加个"),
)
SYNONYMS: Mapping[str, Sequence[str]] = {
    **dict.fromkeys(("create", "add"), CREATE),
    **dict.fromkeys(("search", "find", "list", "get"), FIND),
    "update": ("update", "change", "edit", "修改", "更新"),
    "delete": ("delete", "remove", "删除"),
}
VALUES: Mapping[str, str] = {"male": "男", "female": "女", "unknown": "未知"}
ENGLISH_VALUES: Mapping[str, str] = {value: value.capitalize() for value in VALUES}
_HAN = re.compile(r"[\u4e00-\u9fff]")
_FIELD = re.compile(r"\b\w+(?=: )")
_CHINESE = (
    r"帮我|看一下|一下|所有|全部|有哪些|哪些|一个|名单|列表|名叫|谁是|是谁|有没有|多少|这个|那个"
    r"|我们有|我们|信息|资料|给我|看看|请问"
)
_ENGLISH = (
    r"\b(?:who['’]s|please|can|could|would|you|me|all|any|the|a|an|for|of|up|by|with|who|is|are|named"
    r"|called|name|my|our|we|do|does|have|there|which|what|how|many|give|tell|about|know|to|i|want)\b"
)
_FILLING = re.compile(rf"{_CHINESE}|{_ENGLISH}|[请叫姓的吗呢，。？！、?!.,:：“”\"']", re.IGNORECASE)
_ORDER = re.compile(
    r"(?:(?:please|can|could|would|you|i|want|to|me)\s+)*"
    r"(?:find|search|look\s+(?:up|for)|who(?:['’]s|\s+is)(?!\s+(?:your?|this|that|it|there|s?he)\b))"
    r"\s+\w"
    r"|(?:请|帮我|帮忙|麻烦|能不能|可以|我想|我要|你|能)*(?:查|找|搜|谁是(?![你您我他她它]))"
    r"|\w(?:[\w ·]{0,20}[^\s你您我他她它这那])?(?<![你您我他她它这那]) ?是谁",
    re.IGNORECASE,
)


def is_chinese(text: str) -> bool:
    """Whether any Han character is in the text."""
    return bool(_HAN.search(text))


def speaks_chinese(text: str) -> bool:
    """Whether the words are Chinese; a Chinese name alone does not make an English request so."""
    verbs = [verb for known in SYNONYMS.values() for verb in known]
    chinese = re.search(_CHINESE, text) or says_any(text, [*filter(is_chinese, verbs)])
    english = re.search(_ENGLISH, text, re.IGNORECASE) or says_any(text, verbs)
    return is_chinese(text) and bool(chinese or not english)


def seeks(text: str) -> bool:
    """Whether it orders to find somebody or something, or asks who that is."""
    return bool(_ORDER.match(text.strip()))


def keywords(text: str) -> set[str]:
    """Return what two texts can have in common."""
    words = {_stem(word) for word in re.findall(r"[a-z]{4,}", text.lower())}
    runs = re.findall(r"[\u4e00-\u9fff]+", text)
    return words | {run[i : i + 2] for run in runs for i in range(len(run) - 1)}


def says_any(text: str, verbs: Sequence[str]) -> bool:
    """Whether one of the verbs is in the text."""
    words = set(re.findall(r"[a-z]+", text.lower()))
    return any(verb in (text if is_chinese(verb) else words) for verb in verbs)


def fields_named(text: str) -> set[str]:
    """Return the names before which a fault stands: `studentNo: …; phone: …`."""
    return set(_FIELD.findall(text))


def faults_named(text: str, names: Iterable[str]) -> dict[str, str]:
    """Return what such a fault says, by name, of these names; a place inside one belongs to it."""
    known = "|".join(map(re.escape, names)) or r"(?!)"
    found = re.findall(rf"\b({known})\b[^\s:]*: (.*?)(?=; [\w.\[\]]+: |$)", text, re.S)
    return {name: told.strip() for name, told in reversed(found)}


def from_field(text: str, names: Iterable[str]) -> str:
    """Return the text from the first of these names on, where a fault stands before one."""
    known = "|".join(map(re.escape, names)) or r"(?!)"
    found = re.search(rf"\b(?:{known})\b[^\s:]*: ", text)
    return text[found.start() :] if found else text


def labelled(text: str, labels: Mapping[str, str]) -> str:
    """Return the text with labels in place of these names."""
    return _FIELD.sub(lambda name: labels.get(name[0], name[0]), text)


def without(text: str, verbs: Sequence[str], known: set[str]) -> str:
    """Return what is left when verbs, known keywords and politeness are taken away."""
    pairs = {place for place in range(len(text)) if text[place : place + 2] in known}
    rest = "".join(" " if {place, place - 1} & pairs else sign for place, sign in enumerate(text))
    rest = _FILLING.sub(" ", rest)
    words = re.sub("|".join(verb for verb in verbs if is_chinese(verb)), " ", rest).split()
    known = known | {*verbs}
    return " ".join(word for word in words if not {_stem(word), word.lower()} & known)


def _stem(word: str) -> str:
    return word.lower().removesuffix("s")


def says_value(text: str, value: str) -> bool:
    """Whether the text holds a choice, as it is stored or as people say it."""
    word = re.escape(value)
    return bool(re.search(f"{VALUES.get(value, word)}|(?<![a-z]){word}(?![a-z])", text, re.I))
