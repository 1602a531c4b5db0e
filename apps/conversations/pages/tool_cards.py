"""Calls of tools as the page shows them: one line, and what stands behind it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from django.utils.translation import gettext as _

from apps.conversations.pages.tool_words import title_of, worded

SHOWN = 4_000
_RUNNING = {"planned", "started", ""}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCard:
    """One call; `name` is the tool's for people, `arguments` and `result` are JSON for reading."""

    template: ClassVar = "chat/tool.html"
    id: str = ""
    name: str = ""
    state: str = "running"
    state_text: str = ""
    duration: str = ""
    arguments: str = ""
    result: str = ""
    error: str = ""


def tool_card(call: Mapping[str, Any]) -> ToolCard:
    """Of a tool run in the shape of the API."""
    name = call["name"]
    state = "running" if call["status"] in _RUNNING else call["status"]
    has_result = call["ok"] and call["result"] is not None
    over = state not in {"running", "waiting", "held"}
    return ToolCard(
        id=call["toolCallId"],
        name=title_of(name),
        state=state,
        state_text=state_texts().get(state, state),
        duration=seconds(call["durationMs"]) if over else "",
        arguments=readable(worded(name, call["arguments"])) if call["arguments"] else "",
        result=readable(worded(name, call["result"])) if has_result else "",
        error=call["errorMessage"] or "",
    )


def state_texts() -> dict[str, str]:
    """The word for each state."""
    return {
        "running": _("执行中"),
        "waiting": _("等待决定"),
        "held": _("结果待放行"),
        "succeeded": _("完成"),
        "failed": _("失败"),
        "refused": _("已拒绝"),
        "timed_out": _("超时"),
        "cancelled": _("已取消"),
        "not_executed": _("未执行"),
        "unknown": _("结果未知"),
    }


def seconds(milliseconds: int | None) -> str:
    """`0.1 s`; empty for what was not measured."""
    if milliseconds is None:
        return ""
    return "<0.1 s" if milliseconds < 50 else f"{milliseconds / 1000:.1f} s"


def readable(value: Any) -> str:
    """JSON over several lines, cut where nobody reads on."""
    text = json.dumps(value, ensure_ascii=False, indent=2)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}\n…"
