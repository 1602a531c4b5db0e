"""The only door of `apps.tools` for business apps: declare tools, and what they give back."""

from apps.tools.registry.catalogue import Catalogue, catalogue, register_tools
from apps.tools.registry.context import (
    AgentContext,
    SessionDetails,
    Trace,
    session_details,
    set_session_source,
)
from apps.tools.registry.descriptor import Availability, Presentation, ToolDescriptor
from apps.tools.registry.errors import RegistryError
from apps.tools.registry.marks import agent_tool
from apps.tools.registry.results import BusinessError, ToolResult, UiEffect

__all__ = [
    "AgentContext",
    "Availability",
    "BusinessError",
    "Catalogue",
    "Presentation",
    "RegistryError",
    "SessionDetails",
    "ToolDescriptor",
    "ToolResult",
    "Trace",
    "UiEffect",
    "agent_tool",
    "catalogue",
    "register_tools",
    "session_details",
    "set_session_source",
]
