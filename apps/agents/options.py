"""What an operator may say about a provider beyond its address and key, one class per kind.

`parse` takes the JSON of `Provider.options` and raises `OptionsError`, which names every fault;
unknown keys are faults, so that a slip of the pen is never silently ignored.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal, Self, cast

from django.utils.translation import gettext as _

from apps.runtime.openai_request import Dialect

RESERVED_HEADERS = {"authorization", "proxy-authorization", "api-key", "x-api-key", "cookie"}
RESERVED_BODY = {"model", "messages", "stream", "stream_options", "tools"}
Check = Callable[[Any], str]


class OptionsError(Exception):
    """The options cannot be used; `errors` says why, by key."""

    def __init__(self, errors: Mapping[str, str]) -> None:
        super().__init__("; ".join(f"{key}: {text}" for key, text in errors.items()))
        self.errors = errors


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoOptions:
    """`pace`: the pause after each piece of the answer, in seconds."""

    pace: float = 0.02

    @classmethod
    def parse(cls, options: Mapping[str, Any]) -> Self:
        check(options, {"pace": number(0, 10)})
        return cls(**options)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIOptions:
    """How one vendor wants to be spoken to, and how patient to be with it (seconds)."""

    reasoning_field: str | None = None
    usage_in_stream: bool = True
    max_tokens_field: str = "max_tokens"
    extra_headers: Mapping[str, str] = field(default_factory=dict)
    extra_query: Mapping[str, Any] = field(default_factory=dict)
    extra_body: Mapping[str, Any] = field(default_factory=dict)
    connect_timeout: float = 5.0
    silence_timeout: float = 60.0
    attempts: int = 3

    @classmethod
    def parse(cls, options: Mapping[str, Any]) -> Self:
        check(options, _OPENAI)
        return cls(**options)

    def dialect(self) -> Dialect:
        """The part that shapes the request."""
        names = {item.name for item in fields(Dialect)} - {"max_tokens_field"}
        return Dialect(
            **{name: getattr(self, name) for name in names},
            max_tokens_field=cast(
                Literal["max_tokens", "max_completion_tokens"], self.max_tokens_field
            ),
        )


def check(options: Any, checks: Mapping[str, Check]) -> None:
    """Raise unless every key is known and every value passes its check."""
    if not isinstance(options, Mapping):
        raise OptionsError({"": _("必须是 JSON 对象。")})
    errors = {
        str(key): checks[key](value) if key in checks else _("未知的选项。")
        for key, value in options.items()
    }
    if faults := {key: text for key, text in errors.items() if text}:
        raise OptionsError(faults)


def number(least: float, most: float, *, whole: bool = False) -> Check:
    """A number between the two, both included; booleans are none."""
    kinds = (int,) if whole else (int, float)

    def faults(value: Any) -> str:
        if isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most:
            return ""
        text = (
            _("必须是整数，%(least)s 到 %(most)s。")
            if whole
            else _("必须是数字，%(least)s 到 %(most)s。")
        )
        return text % {"least": least, "most": most}

    return faults


def one_of(*choices: str) -> Check:
    """One of these texts."""

    def faults(value: Any) -> str:
        text = _("必须是其中之一：%(choices)s。")
        return "" if value in choices else text % {"choices": ", ".join(choices)}

    return faults


def _flag(value: Any) -> str:
    return "" if isinstance(value, bool) else _("必须是 true 或 false。")


def _name_or_null(value: Any) -> str:
    good = value is None or (isinstance(value, str) and value.isidentifier())
    return "" if good else _("必须是字段名或 null。")


def _mapping(value: Any) -> str:
    return "" if isinstance(value, dict) else _("必须是 JSON 对象。")


def _headers(value: Any) -> str:
    if not isinstance(value, dict) or not all(map(_is_header, value.items())):
        return _("必须是请求头名称到文字的 JSON 对象。")
    if reserved := sorted(RESERVED_HEADERS & {name.lower() for name in value}):
        return _("密钥不能写在这里（%(names)s），请填入“密钥”。") % {"names": ", ".join(reserved)}
    return ""


def _is_header(item: tuple[str, Any]) -> bool:
    name, value = item
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return plain and isinstance(value, str) and value.isascii() and value.isprintable()


def _body(value: Any) -> str:
    if fault := _mapping(value):
        return fault
    if reserved := sorted(RESERVED_BODY & value.keys()):
        return _("这些字段由平台填写：%(names)s。") % {"names": ", ".join(reserved)}
    return ""


_OPENAI: Mapping[str, Check] = {
    "reasoning_field": _name_or_null,
    "usage_in_stream": _flag,
    "max_tokens_field": one_of("max_tokens", "max_completion_tokens"),
    "extra_headers": _headers,
    "extra_query": _mapping,
    "extra_body": _body,
    "connect_timeout": number(0.1, 120),
    "silence_timeout": number(0.1, 600),
    "attempts": number(1, 10, whole=True),
}
