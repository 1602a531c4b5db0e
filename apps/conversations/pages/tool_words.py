"""Tools in the words of people: a title for the name, labels for the values that have one."""

from collections.abc import Mapping
from typing import Any

from apps.tools.registry import catalogue
from apps.tools.registry.descriptor import Labels, ToolDescriptor


def title_of(name: str) -> str:
    """What the tool calls itself, in the active language; else its name."""
    tool = catalogue.get(name)
    return _title(tool) if tool else name


def worded(name: str, value: Any) -> Any:
    """Arguments or a result of the tool, with the labels of its fields in place of the values."""
    tool = catalogue.get(name)
    return _worded(value, tool.presentation.labels) if tool and tool.presentation.labels else value


def tool_words() -> dict[str, dict[str, Any]]:
    """By tool, for the page's own script: `{title, labels: {field: {value: label}}}`."""
    return {
        tool.name: {"title": _title(tool), "labels": _labels(tool.presentation.labels)}
        for tool in catalogue.all()
        if tool.presentation.title or tool.presentation.labels
    }


def _title(tool: ToolDescriptor) -> str:
    return str(tool.presentation.title) or tool.name


def _labels(labels: Labels) -> dict[str, dict[str, str]]:
    return {
        field: {value: str(label) for value, label in by_value.items()}
        for field, by_value in labels.items()
    }


def _worded(value: Any, labels: Labels) -> Any:
    if isinstance(value, list):
        return [_worded(item, labels) for item in value]
    if not isinstance(value, Mapping):
        return value
    return {key: _word(labels.get(key, {}), _worded(item, labels)) for key, item in value.items()}


def _word(labels: Mapping[str, object], value: Any) -> Any:
    return str(labels[value]) if isinstance(value, str) and value in labels else value
