"""What may be wrong with a form or with what was filled in, and what to do about it.

Free of Django. The texts are the source texts (zh-hans) of the catalogue; whoever shows them passes
its own `translate`, and without one they stay as they are.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

Translate = Callable[[str], str]


def gettext_noop(text: str) -> str:
    """Mark a source text for the catalogue."""
    return text


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that is wrong: a word for programs, a source text and its figures for people."""

    code: str
    text: str
    params: Mapping[str, object] = field(default_factory=dict)

    def say(self, translate: Translate = gettext_noop) -> str:
        return translate(self.text) % self.params


Faults = dict[str, Fault]
"""By path: `fields[0].options[1].label`; the whole value is `""`."""


class FormError(Exception):
    """What is wrong, path by path; `errors` in the source language."""

    def __init__(self, faults: Mapping[str, Fault]) -> None:
        self.faults = dict(faults)
        self.errors = self.say()
        super().__init__("; ".join(f"{path}: {text}" for path, text in self.errors.items()))

    def say(self, translate: Translate = gettext_noop) -> dict[str, str]:
        return {path: fault.say(translate) for path, fault in self.faults.items()}


class FormSchemaError(FormError):
    """The form cannot be shown: whoever asked for it must mend its description."""


class FormValuesError(FormError):
    """The values do not fit the form: whoever filled it in must mend them."""


MISSING_KEY = Fault("missing", gettext_noop("缺少此项，请补上。"))
UNKNOWN_KEY = Fault("unknown_key", gettext_noop("不支持此项，请删除。"))
NOT_OBJECT = Fault("not_object", gettext_noop("必须是一个 JSON 对象，请改用对象。"))
NOT_LIST = Fault("type", gettext_noop("必须是数组，请改用数组。"))
NOT_TEXT = Fault("type", gettext_noop("必须是文本，请改用文本。"))
NOT_BOOLEAN = Fault("type", gettext_noop("必须是 true 或 false，请改用其中之一。"))
NOT_NUMBER = Fault("type", gettext_noop("必须是数字，请改用数字。"))
NOT_CHOICE = Fault("type", gettext_noop("必须是文本或数字，请改用其中之一。"))
NOT_FINITE = Fault("not_finite", gettext_noop("数字超出可表示的范围，请改用较小的数字。"))
NOT_STORABLE = Fault(
    "charset", gettext_noop("含有无法保存的字符（空字符或不完整的字符），请删除。")
)
BAD_NAME = Fault(
    "pattern",
    gettext_noop("只能用英文字母、数字和下划线，不能以数字开头，最多 64 个字符，请改名。"),
)
DUPLICATE_NAME = Fault("duplicate", gettext_noop("与前面的字段重名，请改名。"))
BAD_TYPE = Fault(
    "enum",
    gettext_noop("必须是 text、textarea、number、select、date、switch 之一，请改用其中之一。"),
)
BAD_RANGE = Fault("range", gettext_noop("最小值不能大于最大值，请调整。"))

REQUIRED = Fault("required", gettext_noop("此项必填，请填写。"))
UNKNOWN_FIELD = Fault("unknown_field", gettext_noop("表单中没有此字段，请删除。"))
NOT_OPTION = Fault("option", gettext_noop("不在可选项中，请从可选项中选择。"))
NOT_DATE = Fault("format", gettext_noop("必须是真实存在的日期，请按 2026-05-01 的格式填写。"))


def too_long(limit: int, length: int) -> Fault:
    """Lengths are counted in code points, as the page counts them."""
    text = gettext_noop("最多 %(limit)d 个字符，现在有 %(length)d 个，请缩短。")
    return Fault("length", text, {"limit": limit, "length": length})


def bad_count(least: int, most: int) -> Fault:
    text = gettext_noop("需要 %(least)d 到 %(most)d 项，请增减。")
    return Fault("count", text, {"least": least, "most": most})


def too_small(least: str) -> Fault:
    return Fault("min", gettext_noop("不能小于 %(least)s，请改大。"), {"least": least})


def too_great(most: str) -> Fault:
    return Fault("max", gettext_noop("不能大于 %(most)s，请改小。"), {"most": most})
