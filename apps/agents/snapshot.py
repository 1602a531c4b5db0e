"""What a run reads of its agent: one frozen value, from first token to last."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from apps.runtime.messages import ModelParameters
from apps.runtime.steps import Limits
from apps.tools.registry.descriptor import ToolDescriptor


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentPage:
    """How the agent presents itself."""

    icon: str = ""
    welcome: str = ""
    suggestions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """A published record (`version` and `record_id` set) or a draft (both None), in memory.

    `preamble` and `prompt` are sent as they are, one after the other. The provider is named
    only: its address and key are live.
    """

    agent_code: str
    organisation_id: int
    name: str
    version: int | None
    record_id: int | None
    digest: str
    preamble: str
    prompt: str
    provider_id: int
    model_name: str
    parameters: ModelParameters = field(default_factory=ModelParameters)
    limits: Limits = field(default_factory=Limits)
    tools: tuple[ToolDescriptor, ...] = ()
    absent_tools: Mapping[str, str] = field(default_factory=dict)
    permission_mode: str = "DEFAULT"
    plan_mode: str = "OFF"
    page: AgentPage = field(default_factory=AgentPage)

    @property
    def version_label(self) -> str:
        """What `X-Agent-Version` says."""
        return "draft" if self.version is None else str(self.version)
