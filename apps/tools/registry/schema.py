"""JSON Schema of a tool's input: from a flat frozen dataclass, or as declared."""

import dataclasses
import enum
import types
import typing
from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import SchemaError

from apps.tools.registry.errors import RegistryError

JSON_TYPES: Mapping[type, str] = {
    str: "string",
    int: "integer",
    float: "number",
    bool: "boolean",
}
KEYWORDS = frozenset(
    {"description", "title", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern"}
)


def input_schema(source: type | Mapping[str, Any], where: str) -> dict[str, Any]:
    """The schema the model sees; `where` names the tool in the RegistryError."""
    if isinstance(source, Mapping):
        return _declared(source, where)
    return _flat(source, where)


def _declared(source: Mapping[str, Any], where: str) -> dict[str, Any]:
    schema = dict(source)
    try:
        Draft202012Validator.check_schema(schema)
    except SchemaError as error:
        raise RegistryError(f"{where}: input is no JSON Schema 2020-12: {error.message}") from error
    if schema.get("type") != "object":
        raise RegistryError(f"{where}: input must be a schema of type object")
    return schema


def _flat(source: type, where: str) -> dict[str, Any]:
    if not dataclasses.is_dataclass(source):
        raise RegistryError(f"{where}: input must be a frozen dataclass or a JSON Schema dict")
    if not source.__dataclass_params__.frozen:  # type: ignore[attr-defined]
        raise RegistryError(f"{where}: input dataclass {source.__name__} must be frozen")
    hints = typing.get_type_hints(source)
    fields = dataclasses.fields(source)
    return {
        "type": "object",
        "properties": {f.name: _property(f, hints[f.name], where) for f in fields},
        "required": [f.name for f in fields if _is_required(f)],
        "additionalProperties": False,
    }


def _is_required(field: dataclasses.Field[Any]) -> bool:
    missing = dataclasses.MISSING
    return field.default is missing and field.default_factory is missing


def _property(field: dataclasses.Field[Any], hint: Any, where: str) -> dict[str, Any]:
    unknown = set(field.metadata) - KEYWORDS
    if unknown:
        raise RegistryError(f"{where}: unknown metadata {sorted(unknown)} at field {field.name}")
    said = {**_typed(hint, f"{where}: field {field.name}"), **field.metadata}
    default = field.default
    if isinstance(default, enum.Enum):
        default = default.value
    if default is not None and default is not dataclasses.MISSING and default != "":
        said["default"] = default
    return said


def _typed(hint: Any, where: str) -> dict[str, Any]:
    hint = _without_none(hint)
    if hint in JSON_TYPES:
        return {"type": JSON_TYPES[hint]}
    if typing.get_origin(hint) is typing.Literal:
        return _choices(list(typing.get_args(hint)), where)
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return _choices([member.value for member in hint], where)
    raise RegistryError(
        f"{where}: {hint!r} is not flat (str, int, float, bool, Literal, Enum); "
        "declare a JSON Schema dict as input instead"
    )


def _choices(values: list[Any], where: str) -> dict[str, Any]:
    kinds = {type(value) for value in values}
    if len(kinds) != 1 or not kinds <= set(JSON_TYPES):
        raise RegistryError(f"{where}: choices must be of one plain type")
    return {"type": JSON_TYPES[kinds.pop()], "enum": values}


def _without_none(hint: Any) -> Any:
    if typing.get_origin(hint) not in (typing.Union, types.UnionType):
        return hint
    rest = [arg for arg in typing.get_args(hint) if arg is not type(None)]
    return rest[0] if len(rest) == 1 else hint
