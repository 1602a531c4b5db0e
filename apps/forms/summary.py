"""The sentence that stands for a submission, in the words of the contract, never translated."""

from collections.abc import Mapping, Sequence
from typing import Any

from apps.forms.fields import Field
from apps.forms.numbers import print_number
from apps.forms.values import is_blank


def summarise(title: str, fields: Sequence[Field], values: Mapping[str, Any]) -> str:
    """Every field in its order, whether it was filled in or not."""
    told = "，".join(f"{field.label}={_tell(values.get(field.name))}" for field in fields)
    return f"已提交「{title}」表单：{told}"


def _tell(value: Any) -> str:
    if is_blank(value):
        return "未填写"
    if isinstance(value, bool):
        return "是" if value else "否"
    return value if isinstance(value, str) else print_number(value)
