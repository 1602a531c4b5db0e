"""
Strict reading of a JSON request body: what cannot be stored, compared or answered is refused here.

Guarantees: a JSON object in UTF-8, at most MAX_DEPTH deep, every number finite and within
Python's limit of digits, no NUL or half character in a member's name; else RefusedError 400,
whatever the bytes. A name given twice counts as its last value, as in every JSON parser.
"""

import json
import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils.translation import gettext as _

from apps.lib.problem import Problem, RefusedError

MAX_DEPTH = 100
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class _NotJsonError(ValueError):
    """Found while parsing; the text is for people."""


def read_object(content: bytes) -> dict[str, Any]:
    """The object that the body holds."""
    value = _parsed(content)
    if not isinstance(value, dict):
        raise _refused(_("请求内容必须是 JSON 对象。"))
    _require_shallow(value)
    return value


def _parsed(content: bytes) -> Any:
    try:
        return json.loads(
            content.decode(),
            parse_constant=_no_constant,
            parse_float=_finite,
            object_pairs_hook=_named,
        )
    except UnicodeDecodeError as error:
        raise _refused(_("请求内容不是 UTF-8 文本。")) from error
    except RecursionError as error:
        raise _refused(_too_deep()) from error
    except _NotJsonError as error:
        raise _refused(str(error)) from error
    except json.JSONDecodeError as error:
        raise _refused(
            _("请求内容不是有效的 JSON（第 %(line)d 行第 %(column)d 列）。")
            % {"line": error.lineno, "column": error.colno}
        ) from error
    except ValueError as error:  # an integer of more digits than Python reads
        raise _refused(_("数字过长。")) from error


def _no_constant(name: str) -> float:
    raise _NotJsonError(_("JSON 中不能有 %(name)s。") % {"name": name})


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _NotJsonError(_("数字超出范围。"))
    return number


def _named(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if any(_UNSTORABLE.search(name) for name, _value in pairs):
        raise _NotJsonError(_("字段名称含有无效字符。"))
    return dict(pairs)


def _require_shallow(value: Mapping[str, Any]) -> None:
    level: list[Any] = [value]
    for _depth in range(MAX_DEPTH):
        level = [child for item in level for child in _children(item)]
        if not level:
            return
    raise _refused(_too_deep())


def _children(item: Any) -> Iterable[Any]:
    """The containers directly inside a container."""
    members = item.values() if isinstance(item, dict) else item
    return [member for member in members if isinstance(member, dict | list)]


def _too_deep() -> str:
    return _("JSON 嵌套超过 %(limit)d 层。") % {"limit": MAX_DEPTH}


def _refused(message: str) -> RefusedError:
    problem = Problem(
        status=400, code="validation", title=_("内容有误"), detail=message, errors={"": [message]}
    )
    return RefusedError(problem)
