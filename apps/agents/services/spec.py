"""From a snapshot to what the loop needs: no query, no network."""

from apps.agents.snapshot import Snapshot
from apps.runtime.messages import SystemMessage, ToolSpec
from apps.runtime.steps import AgentSpec


def spec_of(snapshot: Snapshot, tools: tuple[ToolSpec, ...] | None = None) -> AgentSpec:
    """The run's agent; `tools` is what this session may see, else all tools of the snapshot."""
    return AgentSpec(
        model=snapshot.model_name,
        parameters=snapshot.parameters,
        tools=tool_specs_of(snapshot) if tools is None else tools,
        limits=snapshot.limits,
    )


def system_message(snapshot: Snapshot) -> SystemMessage:
    """What stands before the conversation: the preamble, then the prompt in one unbroken block."""
    parts = (part for part in (snapshot.preamble, snapshot.prompt) if part)
    return SystemMessage(content="\n".join(parts))


def tool_specs_of(snapshot: Snapshot) -> tuple[ToolSpec, ...]:
    """The snapshot's tools as a model sees them."""
    return tuple(
        ToolSpec(name=tool.name, description=tool.description, parameters=tool.schema)
        for tool in snapshot.tools
    )
