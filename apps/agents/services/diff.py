"""Two configurations side by side, section by section, in lines a person can read."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

from django.utils.translation import gettext as _

Sign = Literal["same", "added", "removed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One line, and on which side it stands."""

    sign: Sign
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A part of the configuration that differs."""

    title: str
    lines: tuple[Line, ...]


def differences(old: Mapping[str, Any] | None, new: Mapping[str, Any]) -> tuple[Section, ...]:
    """The sections in which the two bodies differ, whatever the order of their keys.

    Without an old one everything is added.
    """
    before = _sections(old) if old else {}
    return tuple(
        Section(title=title, lines=tuple(_compare(before.get(title, []), lines)))
        for title, lines in _sections(new).items()
        if before.get(title, []) != lines
    )


def _sections(body: Mapping[str, Any]) -> dict[str, list[str]]:
    page = body["page"]
    return {
        _("名称"): [body["name"]],
        _("平台规则"): body["preamble"].splitlines(),
        _("提示词"): body["prompt"].splitlines(),
        _("模型"): [_model(body["provider"], body["model_name"])],
        # By name: a record's body is canonical, the draft's is as it was put together.
        _("参数"): [
            f"{name}: {_shown(value)}" for name, value in sorted(body["parameters"].items())
        ],
        _("工具"): sorted(_tool(tool) for tool in body["tools"]),
        _("模式"): [body["permission_mode"], f"plan: {body['plan_mode']}"],
        _("页面"): [page["icon"], *page["welcome"].splitlines(), *page["suggestions"]],
    }


def _model(provider: Mapping[str, Any], name: str) -> str:
    """With its number: providers of two organisations may have one name."""
    return f"{provider['name']} (#{provider['id']}) / {name or '—'}"


def _tool(tool: Mapping[str, str]) -> str:
    return f"{tool['name']} · {tool['schema_digest'][:8] or _('未注册')}"


def _shown(value: object) -> str:
    return "—" if value is None else str(value)


def _compare(old: list[str], new: list[str]) -> Iterator[Line]:
    for kind, i, j, k, n in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            yield from (Line(sign="same", text=text) for text in old[i:j])
            continue
        yield from (Line(sign="removed", text=text) for text in old[i:j])
        yield from (Line(sign="added", text=text) for text in new[k:n])
