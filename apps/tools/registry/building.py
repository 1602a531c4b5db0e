"""From a listed service to its descriptors; every fault names the class and the remedy."""

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from apps.tools.registry.descriptor import SURFACES, ToolDescriptor
from apps.tools.registry.errors import RegistryError
from apps.tools.registry.marks import ATTRIBUTE, Mark
from apps.tools.registry.schema import input_schema

NAME = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)+")
SIGNATURE = ["self", "input", "ctx"]


def descriptors_of(service: type) -> Iterator[ToolDescriptor]:
    """One descriptor per marked method; raises RegistryError when there is none."""
    found = False
    for name, method in inspect.getmembers(service, inspect.isfunction):
        mark = getattr(method, ATTRIBUTE, None)
        if isinstance(mark, Mark):
            found = True
            yield _descriptor(service, name, method, mark)
    if not found:
        raise RegistryError(f"{path_of(service)} is listed but has no method with @agent_tool")


def path_of(service: type) -> str:
    """`apps.students.tools.StudentTools`."""
    return f"{service.__module__}.{service.__qualname__}"


def _descriptor(
    service: type, method_name: str, method: Callable[..., Any], mark: Mark
) -> ToolDescriptor:
    where = f"{path_of(service)}.{method_name} ({mark.name})"
    _check_name(mark.name, where)
    _check_signature(method, where)
    _check_statements(mark, where)
    return ToolDescriptor(
        name=mark.name,
        description=mark.description,
        schema=input_schema(mark.input, where),
        app=_app_of(service),
        service=path_of(service),
        method=method_name,
        input_type=mark.input if isinstance(mark.input, type) else None,
        permission=mark.permission,
        destructive=bool(mark.destructive),
        write_action=bool(mark.write_action),
        control_tool=mark.control_tool,
        availability=mark.availability,
        timeout=float(mark.timeout),
        presentation=mark.presentation,
    )


def _check_name(name: str, where: str) -> None:
    if not NAME.fullmatch(name) or len(name) > 64:
        raise RegistryError(
            f"{where}: a tool's name is snake_case <domain>_<action>, two parts or more, no dots"
        )


def _check_signature(method: Callable[..., Any], where: str) -> None:
    parameters = inspect.signature(method).parameters
    if list(parameters) != SIGNATURE or any(
        parameter.kind is not parameter.POSITIONAL_OR_KEYWORD
        or parameter.default is not parameter.empty
        for parameter in parameters.values()
    ):
        raise RegistryError(f"{where}: the signature must be (self, input, ctx)")
    if inspect.iscoroutinefunction(method) or inspect.isgeneratorfunction(method):
        raise RegistryError(f"{where}: a tool is a plain method, neither async nor a generator")


def _check_statements(mark: Mark, where: str) -> None:
    if mark.write_action is None and mark.destructive is None:
        raise RegistryError(f"{where}: state write_action or destructive (False counts)")
    if not mark.description.strip():
        raise RegistryError(f"{where}: a tool needs a description")
    if mark.timeout <= 0:
        raise RegistryError(f"{where}: timeout must be positive")
    if unknown := set(mark.availability.surfaces) - set(SURFACES):
        raise RegistryError(f"{where}: unknown surfaces {sorted(unknown)}")


def _app_of(service: type) -> str:
    """The app's short name: `students` for `apps.students.tools`."""
    parts = service.__module__.split(".")
    return parts[1] if parts[0] == "apps" and len(parts) > 1 else parts[0]
