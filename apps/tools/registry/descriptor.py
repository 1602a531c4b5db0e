"""A tool as the gateway knows it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Kind: TypeAlias = Literal["local", "mcp", "http", "agent"]
Labels: TypeAlias = Mapping[str, Mapping[str, object]]
SURFACES = ("chat", "api", "agui", "a2a", "playground", "task")


@dataclass(frozen=True, slots=True, kw_only=True)
class Availability:
    """Where a tool may be offered: on which surfaces, with which rights and capabilities."""

    surfaces: tuple[str, ...] = SURFACES
    permissions: tuple[str, ...] = ()
    capabilities: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Presentation:
    """A tool in the words of people.

    `title` stands for the name, `labels` for values of input and result, by field and value, and
    `fields` for the names of fields. `formats` says in a sentence what a field's pattern wants; the
    model, too, is told so of a value that does not fit. They are texts or lazy texts.
    """

    title: object = ""
    labels: Labels = field(default_factory=dict)
    fields: Mapping[str, object] = field(default_factory=dict)
    formats: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolDescriptor:
    """What a tool is called, takes, needs and does; `schema` is JSON Schema 2020-12.

    `service` and `method` say where a local tool lives (`apps.students.tools.StudentTools`,
    `create`); `input_type` is its frozen dataclass, None where the method takes the dict.
    `timeout` is in seconds. A remote tool's `app` is its server; `skill` names the skill that a
    tool comes with.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    kind: Kind = "local"
    app: str = ""
    skill: str = ""
    service: str = ""
    method: str = ""
    input_type: type | None = None
    permission: str | None = None
    destructive: bool = False
    write_action: bool = False
    control_tool: bool = False
    availability: Availability = field(default_factory=Availability)
    timeout: float = 30.0
    presentation: Presentation = field(default_factory=Presentation)

    @property
    def writes(self) -> bool:
        """Whether the effect and the outcome must commit together."""
        return self.write_action or self.destructive
