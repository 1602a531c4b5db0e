"""From what the model wrote to what the method gets; every fault says what to mend."""

import enum
import re
import typing
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

from apps.lib import json_text
from apps.runtime.messages import ToolCall
from apps.runtime.text import clean_json, clean_text
from apps.tools.outcome import Wording
from apps.tools.registry.descriptor import ToolDescriptor

FAULTS_TOLD = 8
_TOLD_KEYWORDS = frozenset(
    {"type", "enum", "pattern", "minLength", "maxLength", "minimum", "maximum"}
)
_REASONS = {
    **json_text.KINDS,
    **{
        kind: re.compile(f"must be an object, not an? {kind}()")
        for kind in ("array", "string", "boolean", "number")
    },
}


class ArgumentsError(Exception):
    """The arguments do not fit; the text is for the model."""


def cleaned(call: ToolCall) -> ToolCall:
    """The call as it can be stored and sent; one nested too deeply has unreadable arguments."""
    name = clean_text(call.name)
    try:
        return replace(call, name=name, arguments=clean_json(dict(call.arguments)))
    except RecursionError:
        return replace(call, name=name, arguments={}, arguments_error="nested too deeply")


def read_arguments(tool: ToolDescriptor, call: ToolCall, wording: Wording) -> Any:
    """An instance of the tool's input type, or its dict; raises ArgumentsError."""
    if call.arguments_error is not None:
        raise ArgumentsError(_unreadable(call.arguments_error, wording))
    given = dict(call.arguments)
    if tool.input_type is not None:
        given = _without_blanks(given, tool.schema)
    faults = sorted(Draft202012Validator(tool.schema).iter_errors(given), key=_path)
    if faults:
        # jsonschema reports each missing member, and each report lists them all.
        formats = wording.formats(tool)
        texts = (text for fault in faults for text in fault_texts(fault, wording, formats))
        told = dict.fromkeys(texts)
        raise ArgumentsError(wording.wrong.format(faults="; ".join([*told][:FAULTS_TOLD])))
    return given if tool.input_type is None else _instance(tool.input_type, given)


def _without_blanks(given: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
    """Models fill what they have no value for with "" or null; optional, that is not given."""
    required = schema.get("required", ())
    return {
        name: value
        for name, value in given.items()
        if name in required
        or name not in schema["properties"]
        or not (value is None or (isinstance(value, str) and not value.strip()))
    }


def _path(fault: ValidationError) -> str:
    return str(fault.json_path).removeprefix("$").removeprefix(".")


def _unreadable(reason: str, wording: Wording) -> str:
    """The runtime's reason in the caller's language: one language per text."""
    for kind, pattern in _REASONS.items():
        if found := pattern.fullmatch(reason):
            return wording.no_json[kind].format(*found.groups())
    return wording.no_json["other"]


def fault_texts(
    fault: ValidationError, wording: Wording, formats: Mapping[str, str] = MappingProxyType({})
) -> Iterator[str]:
    """What a report of jsonschema says, member by member; `formats` as the tool's own words."""
    path, keyword, wanted = _path(fault), str(fault.validator), _plain(fault.validator_value)
    instance, schema = _plain(fault.instance), _plain(fault.schema)
    if keyword == "required":
        for name in wanted:
            if name not in instance:
                yield wording.fault(_below(path, name), "required")
    elif keyword == "additionalProperties" and wanted is False:
        for name in sorted(set(instance) - set(schema.get("properties", {}))):
            yield wording.fault(_below(path, name), "unknown")
    elif keyword == "pattern" and path in formats:
        yield f"{path}: {formats[path]}"
    elif keyword == "pattern" and schema.get("description"):
        # The words that name the field say the format better than a regular expression.
        yield wording.fault(path, keyword, wanted=schema["description"])
    elif keyword in _TOLD_KEYWORDS:
        yield wording.fault(path, keyword, wanted=_listed(wanted))
    else:
        yield wording.fault(path, "other", rule=keyword)


def _below(path: str, name: str) -> str:
    return f"{path}.{name[:64]}" if path else name[:64]


def _plain(value: Any) -> Any:
    """What jsonschema types as possibly unset never is, in an error it reports."""
    return value


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)


def _instance(kind: type, given: dict[str, Any]) -> Any:
    hints = _hints(kind)
    return kind(**{name: _converted(hints[name], value) for name, value in given.items()})


@cache
def _hints(kind: type) -> dict[str, Any]:
    return typing.get_type_hints(kind)


def _converted(hint: Any, value: Any) -> Any:
    """JSON knows one kind of number and no enums."""
    kinds = typing.get_args(hint) or (hint,)
    for kind in kinds:
        if isinstance(kind, type) and issubclass(kind, enum.Enum):
            return kind(value)
    if int in kinds and isinstance(value, float):
        return int(value)
    if float in kinds and isinstance(value, int):
        return float(value)
    return value
