"""The decorator: it marks a method, and does nothing else."""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from apps.tools.registry.descriptor import Availability, Presentation

M = TypeVar("M", bound=Callable[..., Any])
ATTRIBUTE = "__agent_tool__"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What the decorator was told; None is "not stated"."""

    name: str
    description: str
    input: type | Mapping[str, Any]
    permission: str | None
    destructive: bool | None
    write_action: bool | None
    control_tool: bool
    availability: Availability
    timeout: float
    presentation: Presentation


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a marked method stands in the source."""

    module: str
    service: str
    file: str

    @property
    def path(self) -> str:
        return f"{self.module}.{self.service}"


@dataclass(slots=True)
class Marked:
    """Every service with a marked method that this process has imported."""

    places: dict[str, Place] = field(default_factory=dict)

    def add(self, method: Callable[..., Any]) -> None:
        service = method.__qualname__.rpartition(".")[0]
        file = inspect.getsourcefile(method) or method.__module__
        place = Place(module=method.__module__, service=service, file=file)
        self.places[place.path] = place


marked = Marked()


def agent_tool(
    name: str,
    description: str,
    input: type | Mapping[str, Any],
    *,
    permission: str | None = None,
    destructive: bool | None = None,
    write_action: bool | None = None,
    control_tool: bool = False,
    availability: Availability = Availability(),  # noqa: B008  (frozen)
    timeout: float = 30,
    presentation: Presentation = Presentation(),  # noqa: B008  (frozen)
) -> Callable[[M], M]:
    """Offer a method `(self, input, ctx)` of a service to agents.

    `input` is a frozen dataclass (flat: str, int, float, bool, Literal or Enum; None where
    optional), of which the method gets an instance, or a JSON Schema (2020-12) of an object,
    and the method gets the dict. State `write_action` or `destructive`, False counts.
    `permission` is a Django permission (`students.add_student`), `timeout` in seconds.
    `presentation` has a title for the name and labels for values, for people alone.
    The service is listed with `register_tools(Service)` in its `AppConfig.ready`.
    """
    mark = Mark(
        name=name,
        description=description,
        input=input,
        permission=permission,
        destructive=destructive,
        write_action=write_action,
        control_tool=control_tool,
        availability=availability,
        timeout=timeout,
        presentation=presentation,
    )

    def put(method: M) -> M:
        setattr(method, ATTRIBUTE, mark)
        marked.add(method)
        return method

    return put
