"""What may be declared, and what stops start-up."""

import enum
from dataclasses import dataclass, field
from typing import Any, Literal

import pytest

from apps.tools.registry import (
    AgentContext,
    Catalogue,
    RegistryError,
    agent_tool,
    catalogue,
)
from apps.tools.registry.marks import Marked, Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Text:
    """One text."""

    text: str


def service(name: str = "sample_tool", **options: Any) -> type:
    """A service with one tool of that name."""
    options = options or {"write_action": False}

    class Sample:
        """One marked method."""

        @agent_tool(name, "Does it.", Text, **options)
        def run(self, input: Text, ctx: AgentContext) -> dict[str, Any]:
            return {}

    return Sample


def registered(*services: type) -> Catalogue:
    found = Catalogue(Marked())
    found.register(*services)
    return found


@pytest.mark.req("TOOL-1", "TOOL-2")
@pytest.mark.source("T2")
def test_t02_a_listed_service_shows_its_tools() -> None:
    (descriptor,) = registered(service()).all()
    assert (descriptor.name, descriptor.description) == ("sample_tool", "Does it.")
    assert descriptor.service.endswith("Sample")
    assert descriptor.method == "run"


@pytest.mark.req("TOOL-1")
def test_marking_alone_registers_nothing() -> None:
    service("lonely_tool", write_action=False)
    assert catalogue.get("lonely_tool") is None


@pytest.mark.req("TOOL-4")
@pytest.mark.source("T4")
def test_t04_two_tools_of_one_name_are_refused() -> None:
    first, second = service(), service()
    second.__qualname__ = "Second"
    with pytest.raises(RegistryError) as caught:
        registered(first, second)
    path = f"{__name__}.{first.__qualname__}"
    assert str(caught.value) == (
        f"Tool already registered: sample_tool ({path}, {__name__}.Second)"
    )


@pytest.mark.req("TOOL-3")
def test_an_unlisted_service_names_the_line_to_add() -> None:
    place = Place(module="apps.zoo.tools", service="ZooTools", file="/zoo/tools.py")
    faulty = Catalogue(Marked(places={place.path: place}))
    for read in (faulty.freeze, faulty.all, lambda: faulty.get("any")):
        with pytest.raises(RegistryError) as caught:
            read()
        assert "ZooTools in /zoo/tools.py" in str(caught.value)
        assert "/zoo/apps.py: register_tools(ZooTools)" in str(caught.value)


@pytest.mark.req("TOOL-5")
@pytest.mark.source("T20")
def test_t20_another_signature_is_refused() -> None:
    class Drifted:
        """The context is gone."""

        @agent_tool("drifted_tool", "Does it.", Text, write_action=False)
        def run(self, input: Text) -> dict[str, Any]:
            return {}

    with pytest.raises(RegistryError, match=r"\(self, input, ctx\)"):
        registered(Drifted)


@pytest.mark.req("TOOL-6")
@pytest.mark.parametrize(
    "name", ["student", "student.create", "Student_create", "a__b", "_a_b", "学生_x"]
)
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(RegistryError, match="snake_case"):
        registered(service(name, write_action=False))


@pytest.mark.req("TOOL-6")
@pytest.mark.case("TOOL-008")
@pytest.mark.parametrize("names", [("list_items", "list-items"), ("学生_查询", "学生_查-询")])
def test_names_are_never_bent_until_they_are_one(names: tuple[str, str]) -> None:
    found = Catalogue(Marked())
    with pytest.raises(RegistryError, match=r"list-items|查询"):
        found.register(*(service(name, write_action=False) for name in names))


@pytest.mark.req("TOOL-20")
def test_a_tool_must_say_whether_it_writes() -> None:
    with pytest.raises(RegistryError, match="state write_action or destructive"):
        registered(service("silent_tool", permission="x.y"))
    (said,) = registered(service("said_tool", destructive=False)).all()
    assert not said.writes


def test_a_frozen_catalogue_takes_no_more() -> None:
    found = registered(service())
    found.freeze()
    with pytest.raises(RegistryError, match="frozen"):
        found.register(service("late_tool", write_action=False))


def test_a_listed_service_without_tools_is_refused() -> None:
    with pytest.raises(RegistryError, match="no method with @agent_tool"):
        registered(Text)


class Colour(enum.Enum):
    """Two colours."""

    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True, kw_only=True)
class Everything:
    """Each flat type once."""

    name: str = field(metadata={"description": "the name", "maxLength": 5})
    age: int = 3
    weight: float | None = None
    grown: bool = False
    colour: Colour = Colour.RED
    size: Literal["s", "m"] | None = None


@pytest.mark.req("TOOL-7")
def test_a_dataclass_becomes_a_flat_schema() -> None:
    class Wide:
        """Takes everything."""

        @agent_tool("wide_tool", "Does it.", Everything, write_action=False)
        def run(self, input: Everything, ctx: AgentContext) -> dict[str, Any]:
            return {}

    (descriptor,) = registered(Wide).all()
    assert descriptor.schema == {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "the name", "maxLength": 5},
            "age": {"type": "integer", "default": 3},
            "weight": {"type": "number"},
            "grown": {"type": "boolean", "default": False},
            "colour": {"type": "string", "enum": ["red", "blue"], "default": "red"},
            "size": {"type": "string", "enum": ["s", "m"]},
        },
        "required": ["name"],
        "additionalProperties": False,
    }


@dataclass(frozen=True)
class Nested:
    """Not flat."""

    inner: dict[str, int]


@dataclass
class Thawed:
    """Not frozen."""

    text: str = ""


@pytest.mark.req("TOOL-7")
@pytest.mark.parametrize(
    "source",
    [Nested, Thawed, str, {"type": "array"}, {"type": "object", "properties": {"a": {"type": 3}}}],
)
def test_other_inputs_are_refused(source: Any) -> None:
    class Odd:
        """Takes what cannot be taken."""

        @agent_tool("odd_tool", "Does it.", source, write_action=False)
        def run(self, input: Any, ctx: AgentContext) -> dict[str, Any]:
            return {}

    with pytest.raises(RegistryError, match="odd_tool"):
        registered(Odd)
